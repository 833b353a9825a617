/**
 * Returns the places of the line numbers, one below the other: each as near to its wish as a
 * distance of `spacing` to its neighbours allows, in the order of the wishes. With too many for the
 * height they share it evenly. All lengths have one unit; `from` and `to` limit the middles of the
 * numbers.
 */
export function spreadApart(
  wishes: readonly number[],
  room: { readonly spacing: number; readonly from: number; readonly to: number },
): number[] {
  const { from, to } = room;
  const spacing = wishes.length > 1 ? Math.min(room.spacing, (to - from) / (wishes.length - 1)) : room.spacing;
  // Without the spacing the task is to find rising places. Neighbours that would fall share a mean.
  const groups: { sum: number; count: number }[] = [];
  for (const [place, wish] of wishes.entries()) {
    let group = { sum: wish - place * spacing, count: 1 };
    for (let before = groups.at(-1); before && mean(before) > mean(group); before = groups.at(-1)) {
      groups.pop();
      group = { sum: before.sum + group.sum, count: before.count + group.count };
    }
    groups.push(group);
  }
  const last = to - (wishes.length - 1) * spacing;
  const starts = groups.flatMap((group) => Array<number>(group.count).fill(mean(group)));
  return starts.map((start, place) => Math.max(from, Math.min(start, last)) + place * spacing);
}

function mean({ sum, count }: { sum: number; count: number }): number {
  return sum / count;
}
