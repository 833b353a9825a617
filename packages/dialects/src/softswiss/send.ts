import type { CurrencyCode, Micros } from '@roundhouse/contract';
import { parseWithNumberTexts } from '@roundhouse/wallet-check/amounts';
import type { WalletExchange } from '@roundhouse/wallet-check/http';
import type { Post } from '../dialect.ts';
import { decimalText } from '../money.ts';
import { invalid, LACKING, NOT_MOVABLE, unanswered } from '../results.ts';
import type { AnyResult, SentCall, WalletCall, WalletResult } from '../walletCall.ts';
import { errorResult } from './errors.ts';
import type { Connection } from './settings.ts';
import { SIGNATURE_HEADER, signatureOf } from './signature.ts';

/** A response to a request with transactions repeats their id, and that of a round that plays. */
type WireBody = { round_id?: string; transactions?: readonly { id_provider: string }[] };
type WireRequest = { name: SentCall['name']; rpc: string; playerID: string; currency: CurrencyCode; body: WireBody };

/** Makes one request of the provider protocol, and reads its response. */
export async function send(connection: Connection, call: WalletCall, post: Post): Promise<AnyResult> {
  if (call.name === 'closeRounds' || call.name === 'transactions') return LACKING;
  const request = requestOf(connection, call);
  if (request === undefined) return NOT_MOVABLE;
  const { playerID, currency } = request;
  const { casino } = connection.idOf(playerID);
  const body = JSON.stringify(request.body);
  const headers = ['content-type', 'application/json', SIGNATURE_HEADER, signatureOf(body, casino.token)];
  const exchange = await post({ path: `${casino.path}/v2/provider_a8r.${request.rpc}`, headers, body });
  const result = resultOf(connection, request, exchange);
  if (call.name !== 'authenticate' || result.kind !== 'accepted') return result;
  return { ...result, body: { playerID, currency, ...result.body } } as AnyResult;
}

/** Returns undefined when the wallet cannot move the amount. */
function requestOf(connection: Connection, { name, body, context }: SentCall): WireRequest | undefined {
  const playerID = 'playerID' in body ? body.playerID : (context.playerID ?? '');
  const ours = 'currency' in body ? body.currency : (context.currency ?? '');
  const currency = connection.currency(ours);
  if (currency === undefined) return undefined;
  const player = { account_id: connection.idOf(playerID).id, currency: currency.code };
  const game = { game_id: connection.gameTheirs(body.gameID) };
  const session = context.token !== undefined && { session_id: context.token };
  const request = (rpc: string, body: object): WireRequest => ({ name, rpc, playerID, currency: ours, body });
  const balance = () => request('Player/Balance', { ...player, ...game, ...session });
  const withAmount = (micros: number, make: (amount: string) => WireRequest) => {
    const value = currency.scale.write(micros as Micros);
    return value === undefined ? undefined : make(decimalText(value, currency.decimals));
  };
  if (name === 'authenticate' || name === 'balance') return balance();

  const round = { ...player, ...game, ...session, round_id: body.roundID };
  const id_provider = body.transactionID;
  if (name === 'rollback') {
    // Only a free round takes nothing. A free bet must not be rolled back.
    if (context.amount === 0) return balance();
    const { round_id, ...rest } = round;
    const transactions = [{ type: 'rollback', id_provider, original_id_provider: body.debitTransactionID }];
    return request('Round/Rollback', { ...rest, round_id_provider: round_id, finished: true, transactions });
  }
  if (name === 'credit' && body.grantClosed) {
    const issue_id = connection.idOf(body.grantID ?? '').id;
    return withAmount(body.amount, (amount) => request('Freespins/Finish', { issue_id, amount }));
  }
  // The wallet knows no free round.
  if (body.grantID !== undefined) return balance();
  if (name === 'credit' && body.amount === 0)
    return request('Round/Finish', { ...player, ...session, round_id: body.roundID });
  const type = name === 'debit' ? 'bet' : 'win';
  const finished = name === 'credit' || context.closesRound === true;
  return withAmount(body.amount, (amount) =>
    request('Round/BetWin', { ...round, finished, transactions: [{ type, amount, id_provider }] }),
  );
}

/** Anything but a success or an error with a known code is uncertain. */
function resultOf(connection: Connection, request: WireRequest, exchange: WalletExchange): WalletResult<'debit'> {
  if (exchange.kind !== 'responded') return unanswered(exchange);
  const { httpStatus, text } = exchange;
  const body = parseWithNumberTexts(text);
  const error = errorResult(request.name, httpStatus, body);
  if (error !== undefined) return error;
  const balance = connection.currency(request.currency)?.read(body.balance);
  const isRead = request.name === 'authenticate' || request.name === 'balance';
  if (httpStatus !== 200 || (isRead && balance === undefined) || !repeats(body, request))
    return invalid(httpStatus, `status ${httpStatus} with another body, or a balance that is not in whole micros`);
  return { kind: 'accepted', httpStatus, body: { balance } };
}

/** A request without transactions has only the balance to know its response by. */
function repeats({ balance, round_id, transactions }: Record<string, unknown>, { body }: WireRequest): boolean {
  const [sent] = body.transactions ?? [];
  if (sent === undefined) return balance !== undefined;
  if (body.round_id !== undefined && round_id !== body.round_id) return false;
  return Array.isArray(transactions) && transactions.length === 1 && transactions[0]?.id_provider === sent.id_provider;
}
