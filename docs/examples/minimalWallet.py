# A whole wallet for Roundhouse, in memory: an example to read and to start from. It forgets
# everything when it ends. A real one keeps the same in a database, and runs each wallet
# transaction in one database transaction that locks the player first. docs/wallet-protocol.md has
# the rules. It runs on Python 3.9 and newer, without any package.
#
#   SECRET=… SESSION_ID=acme:… python3 docs/examples/minimalWallet.py
import hmac
import json
import os
import re
import time
import traceback
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

# SECRET: one, or two with a comma while one replaces the other. PORT: 0 takes a free one.
SECRETS = os.environ['SECRET'].split(',')
SESSION_ID = os.environ['SESSION_ID']
PORT = int(os.environ.get('PORT', '5001'))
PAGE_SIZE = 20
MAX_BODY_BYTES = 256 * 1024  # /close-rounds sends up to 128 KiB
MAX_MICROS = 2**53 - 1

players = {'player-7': {'currency': 'USD', 'balance': 1_000_000_000}}  # micros
sessions = {
    SESSION_ID: {'playerID': 'player-7', 'endsAt': float('inf')},
    f'{SESSION_ID}-ended': {'playerID': 'player-7', 'endsAt': 0},  # for wallet-check --expired-session
}
booked = {}  # wallet transactions by transactionID, oldest first
bets = {}  # by the debit's transactionID: open, paid, returned; barred: its rollback came first
paid_grants = set()  # free rounds: grants whose winnings were paid at their end
lock = Lock()  # each request has a thread of its own, and they move money one after the other

# The content that has to be equal when a transactionID comes again. sessionID and reason are not
# part of it, and unknown fields are ignored.
OF_EACH = ['roundID', 'playerID', 'gameID', 'currency']
CONTENT = {
    'debit': [*OF_EACH, 'amount', 'mode', 'grantID', 'freeBet'],
    'credit': [*OF_EACH, 'amount', 'debitTransactionID', 'roundClosed', 'grantID', 'grantClosed'],
    'rollback': [*OF_EACH, 'debitTransactionID'],
}


def is_text(value):
    return isinstance(value, str) and value != ''


def is_id(value):
    return is_text(value) and re.fullmatch(r'[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}', value) is not None


def is_amount(value):
    return type(value) is int and 0 <= value <= MAX_MICROS  # no fraction, no text, and no bool


def is_flag(value):
    return isinstance(value, bool)


def or_none(is_right):
    return lambda value: value is None or is_right(value)


OF_FREE_ROUNDS = {'grantID': or_none(is_text), 'freeBet': or_none(is_amount), 'grantClosed': or_none(is_flag)}
CHECKS = {'amount': is_amount, 'debitTransactionID': is_id, 'roundClosed': is_flag, **OF_FREE_ROUNDS}


def refuse(error):
    return {'error': error}


def is_ours(body):
    player_id = body.get('playerID')
    return is_text(player_id) and player_id in players and players[player_id]['currency'] == body.get('currency')


def is_live(session_id):
    return is_text(session_id) and session_id in sessions and sessions[session_id]['endsAt'] > time.time()


def balance_of(body):
    return {'balance': players[body['playerID']]['balance']}


def booked_of(body):
    return {**balance_of(body), 'reference': booked[body['transactionID']]['reference']}


def authenticate(body):
    if not is_live(body.get('sessionID')):
        return refuse('ERR_IS')
    player_id = sessions[body['sessionID']]['playerID']
    return {'playerID': player_id, **players[player_id]}


def balance(body):
    return balance_of(body) if is_ours(body) else refuse('ERR_VAL')


def debit(body):
    is_free = {body['amount'] == 0, 'grantID' in body, 'freeBet' in body}
    if len(is_free) > 1 or not is_text(body.get('sessionID')):
        return refuse('ERR_VAL')
    if body['transactionID'] in bets:
        return refuse('ERR_VAL')  # barred: its rollback came first
    if not is_live(body['sessionID']):
        return refuse('ERR_IS')
    if sessions[body['sessionID']]['playerID'] != body['playerID']:
        return refuse('ERR_VAL')
    if body['amount'] > balance_of(body)['balance']:
        return refuse('ERR_IPB')
    bets[body['transactionID']] = 'open'
    return book('debit', body, -body['amount'])


def credit(body):
    """Needs no live session, nor does rollback: a payout is owed, also when the player has gone."""
    bet = bets.get(body['debitTransactionID'], 'barred')
    if bet == 'barred':
        return refuse('ERR_BNF')
    is_of_its_grant = booked[body['debitTransactionID']]['body'].get('grantID') == body.get('grantID')
    if not is_of_its_debit(body) or not is_of_its_grant:
        return refuse('ERR_VAL')
    is_owed = is_grant_owed(body, bet) if body.get('grantClosed') else bet == 'open'
    if not is_owed:
        return refuse('ERR_VAL')
    if not is_amount(balance_of(body)['balance'] + body['amount']):
        return refuse('ERR_GE')
    if body.get('grantClosed'):
        paid_grants.add(body['grantID'])
    elif body['roundClosed']:
        bets[body['debitTransactionID']] = 'paid'
    return book('credit', body, body['amount'])


def is_grant_owed(body, bet):
    """The winnings of a grant are paid once. They name its last round, open or closed."""
    return 'grantID' in body and bet != 'returned' and body['grantID'] not in paid_grants


def close_rounds(body):
    """Optional, for losing rounds: each closing is the credit of 0 with its id."""
    if not isinstance(body.get('rounds'), list):
        return refuse('ERR_VAL')
    close = once('credit', credit)
    results = []
    for closing in body['rounds']:
        fields = closing if isinstance(closing, dict) else {}
        outcome = close({**fields, 'amount': 0, 'roundClosed': True})
        error = {'error': outcome['error']} if 'error' in outcome else {}
        results.append({'transactionID': fields.get('transactionID'), **error})
    return {'results': results}


def rollback(body):
    bet = bets.get(body['debitTransactionID'], 'barred')
    if bet != 'barred' and (bet == 'paid' or not is_of_its_debit(body)):
        return refuse('ERR_VAL')
    bets[body['debitTransactionID']] = 'barred' if bet == 'barred' else 'returned'
    if bet == 'barred':
        return refuse('ERR_BNF')
    return book('rollback', body, -booked[body['debitTransactionID']]['moved'] if bet == 'open' else 0)


def is_of_its_debit(body):
    return all(booked[body['debitTransactionID']]['body'][name] == body[name] for name in OF_EACH)


def book(kind, body, moved):
    players[body['playerID']]['balance'] += moved
    at = datetime.now(timezone.utc).strftime('%Y-%m-%dT%H:%M:%S.%fZ')
    reference = f'{kind}-{len(booked) + 1}'  # optional: the own id, for support
    booked[body['transactionID']] = {'kind': kind, 'body': body, 'moved': moved, 'reference': reference, 'at': at}
    return booked_of(body)


def once(kind, move):
    """What debit, credit and rollback have in common: a complete body, and an id that moves money once."""

    def move_once(body):
        is_whole = all(CHECKS.get(name, is_text)(body.get(name)) for name in CONTENT[kind])
        if not is_whole or not is_id(body.get('transactionID')):
            return refuse('ERR_VAL')
        known = booked.get(body['transactionID'])
        if known is None:
            return move(body) if is_ours(body) else refuse('ERR_VAL')
        is_same = known['kind'] == kind and all(known['body'].get(name) == body.get(name) for name in CONTENT[kind])
        return booked_of(body) if is_same else refuse('ERR_DUP')  # the same success, with today's balance

    return move_once


def transactions(body):
    """For `roundhouse reconcile`: the wallet transactions of a time span, page by page."""
    try:
        begin, end = instant(body['from']), instant(body['to'])
        first, limit = int(body.get('cursor', '0')), min(int(body.get('limit', PAGE_SIZE)), PAGE_SIZE)
    except (KeyError, TypeError, ValueError, AttributeError):
        return refuse('ERR_VAL')
    inside = [each for each in booked.values() if begin <= instant(each['at']) < end]
    fields = ['transactionID', 'debitTransactionID', 'roundID', 'playerID', 'currency']
    page = [
        {name: each['body'][name] for name in fields if name in each['body']}
        | {'kind': each['kind'], 'amount': abs(each['moved']), 'at': each['at']}
        for each in inside[first : first + limit]
    ]
    return {'transactions': page, 'cursor': str(first + limit) if first + limit < len(inside) else None}


def instant(text):
    return datetime.fromisoformat(text.replace('Z', '+00:00')).astimezone(timezone.utc)  # Python 3.9 reads no Z


CALLS = {
    '/authenticate': authenticate,
    '/balance': balance,
    '/debit': once('debit', debit),
    '/credit': once('credit', credit),
    '/close-rounds': close_rounds,
    '/rollback': once('rollback', rollback),
    '/transactions': transactions,
}


def is_signed(raw, method, path, headers):
    """Checks the bytes as they arrived, before they are parsed; see docs/signature.md."""
    timestamp, nonce = headers.get('X-Roundhouse-Timestamp', ''), headers.get('X-Roundhouse-Nonce', '')
    if not re.fullmatch(r'[0-9]{1,12}', timestamp) or abs(int(time.time()) - int(timestamp)) > 300:
        return False
    if not re.fullmatch(r'[A-Za-z0-9_-]{16,64}', nonce):
        return False
    given = headers.get('X-Roundhouse-Signature', '').encode()
    message = '\n'.join(['v2', 'to-operator', timestamp, nonce, method, path, '']).encode() + raw
    macs = [hmac.new(secret.encode(), message, 'sha256').hexdigest() for secret in SECRETS]
    return any(hmac.compare_digest(f'v2={mac}'.encode(), given) for mac in macs)


class Wallet(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'  # keeps connections open
    wbufsize = -1  # headers and body leave together

    def do_GET(self):
        self.send(200 if self.path == '/health' else 404, {})

    def do_POST(self):
        try:
            status, body = self.respond()
        except Exception:
            # After an unexpected error it is uncertain whether money moved: ERR_UE says so.
            traceback.print_exc()
            status, body = 500, refuse('ERR_UE')
        self.send(status, body)

    def send(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def respond(self):
        length = self.headers.get('Content-Length', '')
        if not re.fullmatch(r'[0-9]{1,6}', length) or int(length) > MAX_BODY_BYTES:
            self.close_connection = True
            return 413, refuse('ERR_VAL')
        raw = self.rfile.read(int(length))
        if not is_signed(raw, self.command, self.path, self.headers):
            return 401, refuse('ERR_VAL')
        if self.path not in CALLS:
            return 404, refuse('ERR_VAL')
        parsed = object_of(raw)
        if parsed is None:
            return 400, refuse('ERR_VAL')
        with lock:
            body = CALLS[self.path](parsed)
        return (400 if 'error' in body else 200), body

    def log_message(self, *_):
        pass


def object_of(raw):
    try:
        value = json.loads(raw)
        return value if isinstance(value, dict) else None
    except ValueError:
        return None


ThreadingHTTPServer.request_queue_size = 128  # the server opens many connections at once
server = ThreadingHTTPServer(('127.0.0.1', PORT), Wallet)
print(f'Wallet: http://127.0.0.1:{server.server_port}', flush=True)
server.serve_forever()
