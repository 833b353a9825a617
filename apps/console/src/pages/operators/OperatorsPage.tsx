import { Button } from '@mantine/core';
import type { AdminOperator } from '@roundhouse/contract/admin';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { apiQuery } from '../../api.ts';
import { textColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import { operatorPath } from '../../components/links.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { useMay } from '../../lib/useAccount.ts';
import { usePaging } from '../../lib/usePaging.ts';
import { NewSecret } from '../operator/NewSecret.tsx';
import { OperatorForm } from '../operator/OperatorForm.tsx';

type Added = { code: string; newSecret: string };

/** Lists the operators; an administrator of the server adds one. */
export function OperatorsPage() {
  const may = useMay();
  const paging = usePaging();
  const router = useRouter();
  const [isAdding, setAdding] = useState(false);
  const [added, setAdded] = useState<Added>();
  const operators = useQuery({
    ...apiQuery('listOperators', { query: paging.query }),
    placeholderData: keepPreviousData,
  });
  const open = (code: string) => router.history.push(operatorPath(code));
  return (
    <>
      <PageHead
        title="Operators"
        actions={
          may('addOperator') && (
            <Button size="xs" onClick={() => setAdding(true)}>
              Add an operator
            </Button>
          )
        }
      />
      <DataTable<AdminOperator>
        label="Operators"
        columns={COLUMNS}
        query={operators}
        rowKey={({ code }) => code}
        rowPath={({ code }) => operatorPath(code)}
        paging={paging}
        empty="No operators"
        footer={<DownloadButton table="operators" />}
      />
      {isAdding && (
        <OperatorForm
          onClose={() => setAdding(false)}
          onSaved={({ operator: { code }, newSecret }) => {
            setAdding(false);
            if (newSecret === null) open(code);
            else setAdded({ code, newSecret });
          }}
        />
      )}
      {added && <NewSecret code={added.code} secret={added.newSecret} onClose={() => open(added.code)} />}
    </>
  );
}

const COLUMNS: readonly Column<AdminOperator>[] = [
  textColumn('code', 'Code', ({ code }) => code),
  { ...textColumn('name', 'Name', ({ name }) => <span title={name}>{name}</span>), isCut: true },
  textColumn('state', 'State', ({ isDisabled }) => <StateBadge state={isDisabled ? 'disabled' : 'enabled'} />),
  {
    ...textColumn(
      'wallet',
      'Wallet',
      (row) => <span title={row.walletUrl ?? ''}>{row.walletUrl ?? 'house wallet'}</span>,
      'sm',
    ),
    isCut: true,
  },
  textColumn('dialect', 'Dialect', ({ walletUrl, dialect }) => walletUrl && dialect, 'md'),
  { ...textColumn('currencies', 'Currencies', ({ currencies }) => currencies.join(', ') || 'all', 'md'), isCut: true },
  textColumn(
    'secrets',
    'Secrets',
    ({ secrets: { fingerprints, isRotating } }) =>
      isRotating ? <StateBadge state="waiting" label="rotating" /> : fingerprints.length,
    'lg',
  ),
];
