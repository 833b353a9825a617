<?php
// A whole wallet for Roundhouse: an example to read and to start from. PHP forgets everything after
// a request, so a JSON file keeps the state, and one request at a time reads and writes it. A real
// wallet keeps the same in a database, and runs each wallet transaction in one database transaction
// that locks the player first. docs/wallet-protocol.md has the rules. It runs on PHP 8.2 and newer,
// without any package. PHP_CLI_SERVER_WORKERS=4 serves four requests at the same moment.
//
//   SECRET=… SESSION_ID=acme:… STATE=wallet.json php -q -S 127.0.0.1:5001 docs/examples/minimalWallet.php
declare(strict_types=1);

const PAGE_SIZE = 20;
const MAX_BODY_BYTES = 256 * 1024; // /close-rounds sends up to 128 KiB
const MAX_MICROS = 2 ** 53 - 1;

// The content that has to be equal when a transactionID comes again. sessionID and reason are not
// part of it, and unknown fields are ignored.
const OF_EACH = ['roundID', 'playerID', 'gameID', 'currency'];
const CONTENT = [
    'debit' => [...OF_EACH, 'amount', 'mode', 'grantID', 'freeBet'],
    'credit' => [...OF_EACH, 'amount', 'debitTransactionID', 'roundClosed', 'grantID', 'grantClosed'],
    'rollback' => [...OF_EACH, 'debitTransactionID'],
];
const OF_FREE_ROUNDS = ['grantID' => 'isText', 'freeBet' => 'isAmount', 'grantClosed' => 'is_bool']; // all optional
const CHECKS = ['amount' => 'isAmount', 'debitTransactionID' => 'isID', 'roundClosed' => 'is_bool', ...OF_FREE_ROUNDS];

function isText(mixed $value): bool
{
    return is_string($value) && $value !== '';
}

function isID(mixed $value): bool
{
    return isText($value) && preg_match('/\A[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\z/', $value) === 1;
}

function isAmount(mixed $value): bool
{
    return is_int($value) && $value >= 0 && $value <= MAX_MICROS; // no fraction, no text
}

function refuse(string $error): array
{
    return ['error' => $error];
}

final class Wallet
{
    public array $players = ['player-7' => ['currency' => 'USD', 'balance' => 1_000_000_000]]; // micros
    public array $booked = []; // wallet transactions by transactionID, oldest first
    // By the debit's transactionID: open, paid, returned; barred: its rollback came first.
    public array $bets = [];
    public array $paidGrants = []; // free rounds: grants whose winnings were paid at their end, as keys

    public function __construct(string $json, private string $sessionID)
    {
        foreach (json_decode($json, true) ?? [] as $name => $value) $this->$name = $value;
    }

    /** Null for a request that the wallet does not have. */
    public function call(string $path, array $body): ?array
    {
        return match ($path) {
            '/authenticate' => $this->authenticate($body),
            '/balance' => $this->isOurs($body) ? $this->balanceOf($body) : refuse('ERR_VAL'),
            '/debit' => $this->once('debit', $body),
            '/credit' => $this->once('credit', $body),
            '/close-rounds' => $this->closeRounds($body),
            '/rollback' => $this->once('rollback', $body),
            '/transactions' => $this->transactions($body),
            default => null,
        };
    }

    private function isOurs(array $body): bool
    {
        $playerID = $body['playerID'] ?? null;
        return isText($playerID) && ($this->players[$playerID]['currency'] ?? null) === ($body['currency'] ?? '');
    }

    /** The player of a live session, else null. The one with "-ended" is for wallet-check --expired-session. */
    private function playerOf(mixed $sessionID): ?string
    {
        $sessions = [
            $this->sessionID => ['playerID' => 'player-7', 'endsAt' => INF],
            "$this->sessionID-ended" => ['playerID' => 'player-7', 'endsAt' => 0],
        ];
        if (!isText($sessionID) || ($sessions[$sessionID]['endsAt'] ?? 0) <= time()) return null;
        return $sessions[$sessionID]['playerID'];
    }

    private function balanceOf(array $body): array
    {
        return ['balance' => $this->players[$body['playerID']]['balance']];
    }

    private function bookedOf(array $body): array
    {
        return $this->balanceOf($body) + ['reference' => $this->booked[$body['transactionID']]['reference']];
    }

    private function authenticate(array $body): array
    {
        $playerID = $this->playerOf($body['sessionID'] ?? null);
        return $playerID === null ? refuse('ERR_IS') : ['playerID' => $playerID, ...$this->players[$playerID]];
    }

    private function debit(array $body): array
    {
        $isFree = $body['amount'] === 0;
        if (isset($body['grantID']) !== $isFree || isset($body['freeBet']) !== $isFree) return refuse('ERR_VAL');
        if (!isText($body['sessionID'] ?? null)) return refuse('ERR_VAL');
        if (isset($this->bets[$body['transactionID']])) return refuse('ERR_VAL'); // barred: its rollback came first
        $playerID = $this->playerOf($body['sessionID']);
        if ($playerID === null) return refuse('ERR_IS');
        if ($playerID !== $body['playerID']) return refuse('ERR_VAL');
        if ($body['amount'] > $this->balanceOf($body)['balance']) return refuse('ERR_IPB');
        $this->bets[$body['transactionID']] = 'open';
        return $this->book('debit', $body, -$body['amount']);
    }

    /** Needs no live session, nor does rollback: a payout is owed, also when the player has gone. */
    private function credit(array $body): array
    {
        $bet = $this->bets[$body['debitTransactionID']] ?? 'barred';
        if ($bet === 'barred') return refuse('ERR_BNF');
        $grantID = $body['grantID'] ?? null;
        $isOfItsGrant = $grantID === ($this->booked[$body['debitTransactionID']]['body']['grantID'] ?? null);
        if (!$this->isOfItsDebit($body) || !$isOfItsGrant) return refuse('ERR_VAL');
        // The winnings of a grant are paid once. They name its last round, open or closed.
        $isGrantClosed = $body['grantClosed'] ?? false;
        $isGrantOwed = $grantID !== null && $bet !== 'returned' && !isset($this->paidGrants[$grantID]);
        if (!($isGrantClosed ? $isGrantOwed : $bet === 'open')) return refuse('ERR_VAL');
        if (!isAmount($this->balanceOf($body)['balance'] + $body['amount'])) return refuse('ERR_GE');
        if ($isGrantClosed) $this->paidGrants[$grantID] = true;
        elseif ($body['roundClosed']) $this->bets[$body['debitTransactionID']] = 'paid';
        return $this->book('credit', $body, $body['amount']);
    }

    /** Optional, for losing rounds: each closing is the credit of 0 with its id. */
    private function closeRounds(array $body): array
    {
        if (!is_array($body['rounds'] ?? null)) return refuse('ERR_VAL');
        $results = [];
        foreach ($body['rounds'] as $closing) {
            $fields = (array) $closing;
            $outcome = $this->once('credit', ['amount' => 0, 'roundClosed' => true] + $fields);
            $error = isset($outcome['error']) ? refuse($outcome['error']) : [];
            $results[] = ['transactionID' => $fields['transactionID'] ?? null, ...$error];
        }
        return ['results' => $results];
    }

    private function rollback(array $body): array
    {
        $bet = $this->bets[$body['debitTransactionID']] ?? 'barred';
        if ($bet !== 'barred' && ($bet === 'paid' || !$this->isOfItsDebit($body))) return refuse('ERR_VAL');
        $this->bets[$body['debitTransactionID']] = $bet === 'barred' ? 'barred' : 'returned';
        if ($bet === 'barred') return refuse('ERR_BNF');
        $debit = $this->booked[$body['debitTransactionID']];
        return $this->book('rollback', $body, $bet === 'open' ? -$debit['moved'] : 0);
    }

    private function isOfItsDebit(array $body): bool
    {
        $debit = $this->booked[$body['debitTransactionID']]['body'];
        return array_filter(OF_EACH, fn ($name) => $debit[$name] !== $body[$name]) === [];
    }

    private function book(string $kind, array $body, int $moved): array
    {
        $this->players[$body['playerID']]['balance'] += $moved;
        $at = (new DateTimeImmutable('now', new DateTimeZone('UTC')))->format('Y-m-d\TH:i:s.u\Z');
        $reference = $kind . '-' . (count($this->booked) + 1); // optional: the own id, for support
        $this->booked[$body['transactionID']] = compact('kind', 'body', 'moved', 'reference', 'at');
        return $this->bookedOf($body);
    }

    /** What debit, credit and rollback have in common: a complete body, and an id that moves money once. */
    private function once(string $kind, array $body): array
    {
        foreach (CONTENT[$kind] as $name) {
            if (!isset($body[$name]) && isset(OF_FREE_ROUNDS[$name])) continue;
            if (!(CHECKS[$name] ?? 'isText')($body[$name] ?? null)) return refuse('ERR_VAL');
        }
        if (!isID($body['transactionID'] ?? null)) return refuse('ERR_VAL');
        $known = $this->booked[$body['transactionID']] ?? null;
        if ($known === null) return $this->isOurs($body) ? $this->$kind($body) : refuse('ERR_VAL');
        $other = array_filter(CONTENT[$kind], fn ($name) => ($known['body'][$name] ?? null) !== ($body[$name] ?? null));
        $isSame = $known['kind'] === $kind && $other === [];
        return $isSame ? $this->bookedOf($body) : refuse('ERR_DUP'); // the same success, with today's balance
    }

    /** For `roundhouse reconcile`: the wallet transactions of a time span, page by page. */
    private function transactions(array $body): array
    {
        [$from, $to] = [instant($body['from'] ?? null), instant($body['to'] ?? null)];
        if ($from === null || $to === null) return refuse('ERR_VAL');
        $isInside = fn ($each) => instant($each['at']) >= $from && instant($each['at']) < $to;
        $inside = array_filter($this->booked, $isInside);
        $first = (int) ($body['cursor'] ?? 0);
        $limit = min((int) ($body['limit'] ?? PAGE_SIZE), PAGE_SIZE);
        $fields = array_flip(['transactionID', 'debitTransactionID', 'roundID', 'playerID', 'currency']);
        $page = array_map(fn ($each) => [
            ...array_intersect_key($each['body'], $fields),
            ...['kind' => $each['kind'], 'amount' => abs($each['moved']), 'at' => $each['at']],
        ], array_slice($inside, $first, $limit));
        $next = $first + $limit < count($inside) ? (string) ($first + $limit) : null;
        return ['transactions' => array_values($page), 'cursor' => $next];
    }
}

function instant(mixed $text): ?DateTimeImmutable
{
    return isText($text) ? (date_create_immutable($text) ?: null) : null;
}

/** Checks the bytes as they arrived, before they are parsed; see docs/signature.md. */
function isSigned(string $raw): bool
{
    $header = fn (string $name): string => $_SERVER["HTTP_X_ROUNDHOUSE_$name"] ?? '';
    [$timestamp, $nonce] = [$header('TIMESTAMP'), $header('NONCE')];
    if (preg_match('/\A[0-9]{1,12}\z/', $timestamp) !== 1 || abs(time() - (int) $timestamp) > 300) return false;
    if (preg_match('/\A[A-Za-z0-9_-]{16,64}\z/', $nonce) !== 1) return false;
    $lines = ['v2', 'to-operator', $timestamp, $nonce, $_SERVER['REQUEST_METHOD'], $_SERVER['REQUEST_URI'], $raw];
    // SECRET: one, or two with a comma while one replaces the other.
    foreach (explode(',', getenv('SECRET')) as $secret) {
        $mac = hash_hmac('sha256', implode("\n", $lines), $secret);
        if (hash_equals("v2=$mac", $header('SIGNATURE'))) return true;
    }
    return false;
}

/** @return array{int, array} status and body */
function respond(): array
{
    if ($_SERVER['REQUEST_URI'] === '/health') return [200, ['up' => true]];
    if ((int) ($_SERVER['CONTENT_LENGTH'] ?? PHP_INT_MAX) > MAX_BODY_BYTES) return [413, refuse('ERR_VAL')];
    $raw = file_get_contents('php://input');
    if (!isSigned($raw)) return [401, refuse('ERR_VAL')];
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') return [404, refuse('ERR_VAL')];
    $parsed = json_decode($raw);
    if (!$parsed instanceof stdClass) return [400, refuse('ERR_VAL')];
    $body = withWallet(fn (Wallet $wallet) => $wallet->call($_SERVER['REQUEST_URI'], (array) $parsed));
    if ($body === null) return [404, refuse('ERR_VAL')];
    return [isset($body['error']) ? 400 : 200, $body];
}

/** One request at a time has the wallet. A rename puts its new state into the file whole or not at all. */
function withWallet(callable $work): ?array
{
    $file = getenv('STATE');
    $lock = fopen("$file.lock", 'c');
    flock($lock, LOCK_EX);
    $before = is_file($file) ? file_get_contents($file) : '';
    $wallet = new Wallet($before, getenv('SESSION_ID'));
    $body = $work($wallet);
    $after = json_encode($wallet, JSON_THROW_ON_ERROR);
    if ($after !== $before) {
        file_put_contents("$file.new", $after);
        rename("$file.new", $file);
    }
    fclose($lock);
    return $body;
}

set_error_handler(fn ($level, $message) => throw new ErrorException($message));
try {
    foreach (['SECRET', 'SESSION_ID', 'STATE'] as $name) {
        if (!getenv($name)) throw new Exception("$name has to be set.");
    }
    [$status, $body] = respond();
} catch (Throwable $error) {
    // After an unexpected error it is uncertain whether money moved: ERR_UE says so.
    error_log((string) $error);
    [$status, $body] = [500, refuse('ERR_UE')];
}
http_response_code($status);
header('Content-Type: application/json');
echo json_encode($body);
