"""Verifies an export or a proof of provably fair draws (format roundhouse-fair-1).  Usage: verify.py export.json

It needs Python 3.9 or newer and nothing else. It shares no code with Roundhouse: fairness-scheme.md says what it does.
"""
import bisect, hashlib, hmac, json, sys

problems = []
document = json.load(open(sys.argv[1], encoding="utf-8"))
sha256 = lambda data: hashlib.sha256(data).digest()
u64 = lambda number: int(number).to_bytes(8, "big")

def check(holds, problem):
    if not holds: problems.append(problem)

def walk(table, low, high, start, end, siblings, firsts, before):
    """The node above the rows low … high-1, as (weight, hash). The drawn rows start … end-1 are among them."""
    if start == end:
        weight, digest = next(siblings)
        return int(weight), bytes.fromhex(digest)
    if high - low == 1:
        position, book_id, weight, payout, book_hash = table["drawn"][start][:5]
        firsts.append(before)
        return int(weight), sha256(b"\0" + u64(book_id) + u64(weight) + u64(payout) + bytes.fromhex(book_hash))
    middle = low + (1 << (high - low - 1).bit_length() - 1)
    cut = bisect.bisect_left(table["positions"], middle)
    left = walk(table, low, middle, start, cut, siblings, firsts, before)
    right = walk(table, middle, high, cut, end, siblings, firsts, before + left[0])
    return left[0] + right[0], sha256(b"\1" + u64(left[0]) + left[1] + u64(right[0]) + right[1])

for table in document["tables"]:
    table["positions"] = [row[0] for row in table["drawn"]]
    table["firsts"], siblings, rows, name = [], iter(table["siblings"]), table["rows"], table["mode"]
    check(table["positions"] == sorted({*table["positions"]} & {*range(rows)}), f"table {name}: positions are not in order")
    weight, top = walk(table, 0, rows, 0, len(table["drawn"]), siblings, table["firsts"], 0)
    check(next(siblings, None) is None, f"table {name}: siblings are left over")
    check(weight == int(table["totalWeight"]), f"table {name}: the weights add up to {weight}")
    check(sha256(b"\2" + u64(rows) + u64(weight) + top).hex() == table["root"], f"table {name}: another root")

seed = bytes.fromhex(document["serverSeed"])  # It is null before it is revealed: then no draw can be checked.
check(sha256(seed).hex() == document["serverSeedHash"], "the server seed has another hash")
rounds, nonces = document["rounds"], document["nonces"]
numbers = [(one["nonce"], one["betID"]) for one in rounds]
check(numbers == sorted(numbers) == sorted(numbers, key=lambda pair: pair[1]), "the rounds are out of order")
if nonces is not None: check([one["nonce"] for one in rounds] == list(range(nonces)), "nonces have gaps or repeat")
for one in rounds:
    if one.get("void"): continue
    nonce, table = one["nonce"], document["tables"][one["table"]]
    client_seed = [each for each in document["clientSeeds"] if each["from"] <= nonce][-1]["clientSeed"]
    total, attempt, value = int(table["totalWeight"]), 0, 1 << 64
    while value >= (1 << 64) // total * total:
        message = f"{document['format']}:{table['game']}:{table['version']}:{table['mode']}:{nonce}:{attempt}:{client_seed}"
        value, attempt = int.from_bytes(hmac.digest(seed, message.encode(), "sha256")[:8], "big"), attempt + 1
    place, ticket = bisect.bisect_right(table["firsts"], value % total) - 1, value % total
    row = table["drawn"][place] if place >= 0 else [0, 0, "0", "0", ""]
    check(place >= 0 and ticket < table["firsts"][place] + int(row[2]), f"nonce {nonce}: its row is not proven")
    check((row[1], row[3]) == (one["bookID"], one["payoutMultiplier"]), f"nonce {nonce}: another row was drawn")
    check(one["payout"] * 100 == one["amount"] * int(row[3]), f"nonce {nonce}: another payout")
    if "book" in document: check(sha256(document["book"].encode()).hex() == row[4], f"nonce {nonce}: another book")
print(f"{len(rounds)} rounds, {sum('void' in one for one in rounds)} void, {len(problems)} problems", *problems[:100], sep="\n")
sys.exit(1 if problems else 0)
