import { currencyFacts, plainMoneyText } from '@roundhouse/contract';
import { adminContract } from '@roundhouse/contract/admin';
import type { AppRoute, ClientInferResponses } from '@ts-rest/core';
import type { Request, Response } from 'express';
import type { Handlers } from '../../../base/http/endpoints.ts';
import { InvalidRequest } from '../../../base/http/readBody.ts';
import type { Cell } from '../../../base/terminal/csvLines.ts';
import type { AdminDeps } from '../adminDeps.ts';

export type AdminHandlers = Partial<Handlers<typeof adminContract>>;

/** What a table reads with: the handlers see the same user as for their own requests. */
export type Source = {
  deps: AdminDeps;
  handlers: AdminHandlers;
  exchange: { req: Request; res: Response };
  /** The filters, as the address has them. */
  query: Record<string, unknown>;
};

export type Column = {
  name: string;
  /** The cells are bigints, in micros of their row's currency, or texts that name currencies. */
  isAmount: boolean;
};

export type Opened = {
  ok: true;
  /** How many rows will come, when that is known without counting. */
  rows: number | undefined;
  pages: AsyncIterable<readonly (readonly Cell[])[]>;
};
/** The list's own response. */
type ListRefusal = { ok: false; status: number; body: unknown };

export type Table = {
  /** A user who may send this request may download the table. */
  list: keyof typeof adminContract;
  columns: readonly Column[];
  /** Returns a refusal of the list before the first row. */
  open(source: Source): Promise<Opened | ListRefusal>;
  /**
   * A user of the server downloads about as many rows as these tables have, when there is no
   * filter.
   */
  estimateOf?: readonly ('rounds' | 'archived_rounds' | 'significant_events' | 'players')[];
};

type Body<Name extends keyof typeof adminContract> = ClientInferResponses<(typeof adminContract)[Name], 200>['body'];
type ListName = {
  [Name in keyof typeof adminContract]: Body<Name> extends { items: readonly unknown[] } ? Name : never;
}[keyof typeof adminContract];
type ItemOf<Name extends ListName> = Body<Name> extends { items: readonly (infer Item)[] } ? Item : never;

/** The number of rows in a page of a download: each page is one query. */
const PAGE_ROWS = 1000;

type Shown<Name extends ListName> = {
  /** These members of a row are the columns, in this order. */
  columns: readonly (keyof ItemOf<Name> & string)[];
  /** These are micros, as numbers or texts, or an object of them by currency. */
  amounts?: readonly (keyof ItemOf<Name> & string)[];
} & Pick<Table, 'estimateOf'>;

/**
 * Makes a table of a list of the contract: its handler is called page by page, so a download shows
 * the rows that the page shows, with the same filters and the same scope.
 */
export function tableOf<Name extends ListName>(list: Name, { columns, amounts = [], ...more }: Shown<Name>): Table {
  const shown = columns.map((name) => ({ name, isAmount: amounts.includes(name) }));
  const cellsOf = (item: ItemOf<Name>) =>
    shown.map(({ name, isAmount }) => (isAmount ? microsOf(item[name]) : cellOf(item[name])));
  return {
    ...more,
    list,
    columns: shown,
    async open(source) {
      const read = pageReader<ItemOf<Name>>(list, source);
      const first = await read(undefined);
      if (!first.ok) return first;
      const isWhole = first.cursor === null;
      return { ok: true, rows: isWhole ? first.items.length : undefined, pages: walk(first, read) };
    },
  };

  async function* walk(first: Page<ItemOf<Name>>, read: ReadPage<ItemOf<Name>>) {
    for (let page = first; ; ) {
      yield page.items.map(cellsOf);
      if (page.cursor === null) return;
      const next = await read(page.cursor);
      if (!next.ok) throw new Error(`the list ${list} refused a later page: ${next.status}`);
      page = next;
    }
  }
}

/** An object has an amount for each currency: "EUR 0.20, USD 0.25". */
function microsOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object') return BigInt(value as number | string);
  const amounts = Object.entries(value).map(
    ([code, micros]) => `${code} ${plainMoneyText(micros, currencyFacts(code))}`,
  );
  return amounts.join(', ');
}

/** A list of names is one text; other data are JSON. */
function cellOf(value: unknown): Cell {
  if (value === undefined) return null;
  if (Array.isArray(value) && !value.some((each) => typeof each === 'object')) return value.join(' ');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Cell);
}

type Page<Item> = { ok: true; items: readonly Item[]; cursor: string | null };
type ReadPage<Item> = (cursor: string | undefined) => Promise<Page<Item> | ListRefusal>;
type AnyHandler = (request: object) => Promise<{ status: number; body: unknown }>;

function pageReader<Item>(list: keyof typeof adminContract, { handlers, exchange, query }: Source): ReadPage<Item> {
  const handler = handlers[list] as unknown as AnyHandler;
  const { cursor: _cursor, limit: _limit, format: _format, ...filters } = query;
  const input = filtersOf(list, filters);
  return async (cursor) => {
    const { status, body } = await handler({
      ...exchange,
      params: input.params,
      query: { ...input.query, cursor, limit: PAGE_ROWS },
    });
    if (status !== 200) return { ok: false, status, body };
    const { items, cursor: next = null } = body as { items: readonly Item[]; cursor?: string | null };
    return { ok: true, items, cursor: next };
  };
}

type Schema = { safeParse(value: unknown): { data?: object; error?: { issues: readonly Issue[] } } };
type Issue = { path: readonly PropertyKey[]; message: string };

/**
 * Reads the filters of a list. A parameter of its path, as the operator, is a filter here.
 * @throws InvalidRequest with field and rule.
 */
export function filtersOf(list: keyof typeof adminContract, filters: object) {
  const route: AppRoute = adminContract[list];
  const parse = (schema: unknown) => {
    if (schema === undefined || schema === null) return {};
    const { data, error } = (schema as Schema).safeParse(filters);
    if (data !== undefined) return data;
    const { path, message } = error?.issues[0] ?? { path: [], message: 'the request is not valid' };
    throw new InvalidRequest(`${path.map(String).join('.')}: ${message}`);
  };
  return { params: parse(route.pathParams), query: parse(route.query) };
}
