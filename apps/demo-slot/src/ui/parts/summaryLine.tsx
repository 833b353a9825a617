/** Shows a name with its value, in a `dl` of the class `summary`. */
export function SummaryLine({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}
