import { expect, it } from 'vitest';
import { placeOf } from './settings.ts';

it.each([
  ['postgresql://user:password@db.example.com:5432/x', 'postgresql://db.example.com:5432/x'],
  ['postgresql://u:p@ss@db.example.com/x?sslmode=require', 'postgresql://db.example.com/x'],
  ['postgresql://one:5432,two:5432/x', 'postgresql://one:5432,two:5432/x'],
  ['postgresql://db.example.com/x?password=se@cret', 'set'],
  ['postgresql://u:pa/ss@db.example.com/x', 'set'],
  ['host=db.example.com password=secret', 'set'],
])('shows %s without its secrets', (url, place) => expect(placeOf(url)).toBe(place));
