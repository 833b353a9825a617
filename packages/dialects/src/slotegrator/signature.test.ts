import { expect, it } from 'vitest';
import { formOf, type Params, signatureOf } from './signature.ts';

const KEY = '0123456789abcdef0123456789abcdef01234567';
const HEADERS = { merchant: 'm-123', timestamp: '1772671531', nonce: 'e115cf0a66a645aca1f5d1fb1e1f9c1d' };

/**
 * PHP 8.2 has made the bodies and signatures: ksort of array_merge($params, $headers), then
 * hash_hmac('sha1', http_build_query($merged), $key). Arrays are nested there.
 */
const VECTORS: Readonly<Record<string, { params: Params; body: string; sign: string }>> = {
  'a bet': {
    params: [
      ['action', 'bet'],
      ['amount', '17.59'],
      ['currency', 'EUR'],
      ['game_uuid', 'book-of'],
      ['player_id', 'ann'],
      ['transaction_id', 'bd801482e9ee49b2b95f4c5ac8c2e6ff'],
      ['session_id', 's1'],
      ['type', 'bet'],
      ['round_id', '1204'],
      ['finished', '0'],
    ],
    body: 'action=bet&amount=17.59&currency=EUR&game_uuid=book-of&player_id=ann&transaction_id=bd801482e9ee49b2b95f4c5ac8c2e6ff&session_id=s1&type=bet&round_id=1204&finished=0',
    sign: '42cc2d9550768a94b99767bdec5f58c0fa82ae82',
  },
  'every kind of character, and an empty value': {
    params: [
      ['action', 'balance'],
      ['player_id', "a b+c~d*e'f(g)h!i/ä€😀.-_%&="],
      ['currency', 'EUR'],
      ['session_id', ''],
    ],
    body: 'action=balance&player_id=a+b%2Bc%7Ed%2Ae%27f%28g%29h%21i%2F%C3%A4%E2%82%AC%F0%9F%98%80.-_%25%26%3D&currency=EUR&session_id=',
    sign: '657d09ea1643b4c74dcacbfd22124eeb4e217c89',
  },
  'a list of lists keeps its inner order': {
    params: [
      ['action', 'rollback'],
      ['currency', 'EUR'],
      ['rollback_transactions[0][action]', 'bet'],
      ['rollback_transactions[0][amount]', '2.31'],
      ['rollback_transactions[0][transaction_id]', 'b1'],
      ['rollback_transactions[0][type]', 'bet'],
      ['rollback_transactions[1][action]', 'win'],
      ['rollback_transactions[1][amount]', '9.29'],
      ['rollback_transactions[1][transaction_id]', 'a1'],
      ['rollback_transactions[1][type]', 'win'],
      ['session_id', '123'],
      ['type', 'rollback'],
    ],
    body: 'action=rollback&currency=EUR&rollback_transactions%5B0%5D%5Baction%5D=bet&rollback_transactions%5B0%5D%5Bamount%5D=2.31&rollback_transactions%5B0%5D%5Btransaction_id%5D=b1&rollback_transactions%5B0%5D%5Btype%5D=bet&rollback_transactions%5B1%5D%5Baction%5D=win&rollback_transactions%5B1%5D%5Bamount%5D=9.29&rollback_transactions%5B1%5D%5Btransaction_id%5D=a1&rollback_transactions%5B1%5D%5Btype%5D=win&session_id=123&type=rollback',
    sign: 'f25375e72e762bce4fcb3a3f423d90493cb76570',
  },
  'a nested name sorts by what stands before its bracket': {
    params: [
      ['page', '2'],
      ['per-page', '50'],
      ['filter[provider]', 'Round House'],
      ['filter[is_mobile]', '0'],
      ['filterZ', '1'],
      ['expand', 'tags,images'],
    ],
    body: 'page=2&per-page=50&filter%5Bprovider%5D=Round+House&filter%5Bis_mobile%5D=0&filterZ=1&expand=tags%2Cimages',
    sign: '3dbb91c97928074d16f6c1e4dd8a3685af8b3ef4',
  },
  'no parameters': { params: [], body: '', sign: 'd96fe55ab14e00f5ec41348fe4e85a3154bbd897' },
};

it.each(Object.entries(VECTORS))('%s', (_what, { params, body, sign }) => {
  expect(formOf(params)).toBe(body);
  expect(signatureOf(params, HEADERS, KEY)).toBe(sign);
  expect([...new URLSearchParams(body)]).toEqual(params);
});
