import { Button, Group } from '@mantine/core';
import { type Period, periodsAt } from './periods.ts';

type Props = { from: string | undefined; to: string | undefined; onChange: (period: Period) => void };

/** Selects a period by its name: yesterday, this month. The URL keeps the days. */
export function PeriodButtons({ from, to, onChange }: Props) {
  return (
    <Group gap={4} mb="sm" role="group" aria-label="Period">
      {Object.entries(periodsAt(new Date())).map(([name, period]) => {
        const isChosen = period.from === from && period.to === to;
        return (
          <Button
            key={name}
            size="compact-xs"
            variant={isChosen ? 'light' : 'default'}
            aria-pressed={isChosen}
            onClick={() => onChange(period)}
          >
            {name}
          </Button>
        );
      })}
    </Group>
  );
}
