/** This is the provably fair draw on lookup tables: seeds, tickets, commitments. */
export { isClientSeed, MAX_CLIENT_SEED_CHARACTERS, randomClientSeed } from './clientSeed.ts';
export type { DrawnRow, FairDocument, FairRound, FairTable, Sibling } from './document.ts';
export { bytesOf, hex, hmacSha256, hmacWith, sha256 } from './hash.ts';
export { type DrawFacts, FORMAT, messageOf, type TicketOptions, type Try, ticketOf } from './ticket.ts';
export { leafBytes, nodeBytes, type Row, rootBytes, splitOf, type TreeNode } from './tree.ts';
