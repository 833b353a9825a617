/** A roundhouse from above: the turntable, and the tracks that leave it. */
export function HouseMark() {
  const tracks = Array.from({ length: 9 }, (_, index) => -180 + index * 22.5);
  return (
    <svg class="houseMark" viewBox="0 0 48 48" aria-hidden="true" focusable="false">
      <path d="M5.2 31A20 20 0 1 1 42.8 31" />
      {tracks.map((angle) => (
        <path key={angle} d="M33 24h8" transform={`rotate(${angle} 24 24)`} />
      ))}
      <circle cx="24" cy="24" r="5" />
      <path d="M13 38.5h22M17.5 43h13" />
    </svg>
  );
}
