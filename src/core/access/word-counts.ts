/**
 * Counts, by organisation and month, the words of answered questions that no name of the catalogue has: in memory first,
 * and in the table every few seconds. Neither has the question, the key or the person.
 */
import { sql } from 'kysely'
import { builder } from '../db/builder.js'
import type { Database } from '../db/connect.js'
import { type CountingOptions, periodicWrites, type WrittenCounts } from '../periodic-writes.js'

export type UnknownWords = WrittenCounts & {
  /** The words are those of one question, each once. */
  count: (orgId: string, words: readonly string[]) => void
}

type UnknownWordsOptions = CountingOptions & {
  /** Says why a write failed; undefined for one that did not. */
  onWrite: (failure: string | undefined) => void
}

/** `month` counts from January 1970, UTC. */
type WordRow = { orgId: string; month: number; word: string; times: number }

/** An organisation has at most this many words a month. The others are not kept; those that it has are counted on. */
export const WORDS_OF_MONTH = 500
/** A row takes about 200 bytes. */
const WAITING_WORDS_MAX = 10_000
const WORDS_OF_WRITE = 1000

export function openUnknownWords(
  db: Pick<Database, 'run'>,
  { onWrite, everyMs, rowsMax = WAITING_WORDS_MAX, now = Date.now }: UnknownWordsOptions,
): UnknownWords {
  /** The words of an organisation and month. */
  const counts = new Map<string, Map<string, WordRow>>()
  let rows = 0

  function add(row: WordRow): void {
    const key = `${row.orgId} ${row.month}`
    const words = counts.get(key) ?? new Map<string, WordRow>()
    const counted = words.get(row.word)
    if (counted) counted.times += row.times
    else if (words.size < WORDS_OF_MONTH && rows < rowsMax) {
      counts.set(key, words.set(row.word, { ...row }))
      rows += 1
    }
  }

  /** Rows that could not be written are counted again with those that came meanwhile. */
  async function writeAll(): Promise<void> {
    const taken = [...counts.values()].flatMap((words) => [...words.values()])
    counts.clear()
    rows = 0
    while (taken.length > 0) {
      try {
        await db.run(addWords(taken.slice(0, WORDS_OF_WRITE)))
      } catch (error) {
        for (const row of taken) add(row)
        return onWrite(error instanceof Error ? error.message : String(error))
      }
      taken.splice(0, WORDS_OF_WRITE)
      onWrite(undefined)
    }
  }

  const { write, writeLater, isClosed, close } = periodicWrites({ writeAll, waiting: () => rows, everyMs })
  return {
    count: (orgId, words) => {
      if (isClosed() || words.length === 0) return
      const month = monthOf(now())
      for (const word of words) add({ orgId, month, word, times: 1 })
      writeLater()
    },
    write,
    waiting: () => rows,
    close,
  }
}

function monthOf(at: number): number {
  const date = new Date(at)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

/**
 * Rows are locked in the order of the primary key, so that no two processes deadlock. Organisations that were deleted
 * meanwhile are left out. Two processes that write at the same instant both see the room that is left, so a month may
 * have some words more than it should.
 */
const addWords = (rows: readonly WordRow[]) =>
  builder
    .insertInto('unknown_word')
    .columns(['org_id', 'month', 'word', 'times'])
    .expression(
      sql`
        with counted as (
          select org_id, (date '1970-01-01' + make_interval(months => month))::date as month, word, times
          from unnest(
            ${rows.map(({ orgId }) => orgId)}::text[], ${rows.map(({ month }) => month)}::int[],
            ${rows.map(({ word }) => word)}::text[], ${rows.map(({ times }) => times)}::int[]
          ) as counted (org_id, month, word, times)
          join organisation using (org_id)
        ), kept as (
          select org_id, month, count(*) as words
          from unknown_word
          join (select distinct org_id, month from counted) as months using (org_id, month)
          group by org_id, month
        ), placed as (
          select org_id, month, word, counted.times, known.word is not null as is_kept,
            row_number() over (
              partition by org_id, month, known.word is null order by counted.times desc, word
            ) as place
          from counted
          left join unknown_word as known using (org_id, month, word)
        )
        select org_id, month, word, times
        from placed
        left join kept using (org_id, month)
        where is_kept or place <= ${WORDS_OF_MONTH}::int - coalesce(kept.words, 0)
        order by org_id, month, word`,
    )
    .onConflict((conflict) =>
      conflict.constraint('unknown_word_pkey').doUpdateSet({ times: sql`unknown_word.times + excluded.times` }),
    )
