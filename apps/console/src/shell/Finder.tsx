import '../styles/rest.ts';
import { useDebouncedValue, useWindowEvent } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { errorText } from '../components/ErrorState.tsx';
import { useAccount } from '../lib/useAccount.ts';
import { navigationFor } from './navigation.ts';
import { searchPath, searchQuery } from './searchQuery.ts';

const [store, finder] = createSpotlight();
const TYPING_MS = 200;

/** Searches from anywhere: pages of the console at once, everything else on the server. */
export default function Finder({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), TYPING_MS);
  const router = useRouter();
  const account = useAccount();
  const found = useQuery({ ...searchQuery(asked), enabled: asked !== '' });
  useEffect(() => finder.open(), []);
  useEffect(() => selectFirst(), [found.data]);
  // What is typed before the box has the focus belongs to it.
  const takeLetter = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.key.length > 1 || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    setText((typed) => typed + event.key);
  };
  useWindowEvent('keydown', takeLetter, { capture: true });

  const goTo = (path: string) => () => router.history.push(path);
  const wanted = text.trim().toLowerCase();
  const pages = navigationFor(account)
    .flatMap((group) => group.pages)
    .filter(({ label }) => label.toLowerCase().includes(wanted));
  const groups = found.data ?? [];
  const isEmpty = pages.length === 0 && groups.every(({ hits }) => hits.length === 0);

  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={setText}
      onSpotlightClose={onClose}
      shortcut={null}
      transitionProps={{ duration: 0 }}
      scrollable
      maxHeight={420}
      attributes={{ content: { 'aria-label': 'Search' } }}
    >
      <Spotlight.Search
        placeholder="Round, player, session, transaction, game …"
        aria-label="Search"
        onKeyDownCapture={(event) => {
          if (event.key !== 'Enter' || !event.shiftKey) return;
          // Without this the library opens the marked line.
          event.stopPropagation();
          finder.close();
          goTo(searchPath(text.trim()))();
        }}
      />
      <Spotlight.ActionsList>
        {groups.map(({ label, hits }) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {hits.map((hit) => (
              <Spotlight.Action key={hit.key} label={hit.label} description={hit.detail} onClick={goTo(hit.path)} />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {pages.length > 0 && (
          <Spotlight.ActionsGroup label="Pages">
            {pages.map((page) => (
              <Spotlight.Action
                key={page.path}
                label={page.label}
                leftSection={<page.icon size={16} stroke={1.6} aria-hidden />}
                onClick={goTo(page.path)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {isEmpty && (
          <Spotlight.Empty>
            {found.isFetching ? 'Searching …' : found.error ? errorText(found.error) : 'No results'}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/**
 * Marks the first line, which Enter opens. The library does so when the text changes, which is
 * before the server has responded.
 */
function selectFirst(): void {
  const list = document.getElementById(store.getState().listId);
  list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
  list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  store.updateState((state) => ({ ...state, selected: 0 }));
}
