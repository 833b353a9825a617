import { Anchor, Breadcrumbs, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { PathLink } from './PathLink.tsx';

type Props = {
  /** The heading is also the title of the browser's tab. */
  title: string;
  /** The trail lists the pages above this one, the highest first. */
  trail?: readonly { label: string; to: string }[];
  badge?: ReactNode;
  actions?: ReactNode;
};

/** The top of a page: where it is, its title, and what you can do. */
export function PageHead({ title, trail = [], badge, actions }: Props) {
  useEffect(() => {
    document.title = `${title} · Roundhouse console`;
  }, [title]);
  return (
    <header>
      {trail.length > 0 && (
        <nav aria-label="Breadcrumb">
          <Breadcrumbs separator="›" fz="sm" mb={4}>
            {trail.map(({ label, to }) => (
              <Anchor key={to} component={PathLink} to={to} fz="sm">
                {label}
              </Anchor>
            ))}
          </Breadcrumbs>
        </nav>
      )}
      <Group justify="space-between" mb="md" gap="sm">
        <Group gap="sm">
          <Title order={1} size="h3" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {badge}
        </Group>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
    </header>
  );
}
