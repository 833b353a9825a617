import type { Approval } from '@roundhouse/contract/admin';

const LINKS = ['addUser', 'newUserLink'];

/** Names what an approved request has made for its requester. */
export function madeBy({ route }: Pick<Approval, 'route'>): 'link' | 'secret' {
  return LINKS.includes(route) ? 'link' : 'secret';
}
