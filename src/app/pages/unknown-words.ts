/** The section of the page Datasets that shows Owners the words of questions that no dataset had. */
import type { Request } from 'express'
import { mayAs } from '../../core/access/roles.js'
import { withDeadline } from '../../core/db/connect.js'
import { number } from '../shell/chart.js'
import { table, type Column } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import { sessionOf } from '../shell/session.js'
import { unknownWords, type UnknownWord } from '../shell/statements.js'
import type { Web } from '../shell/web.js'

const MOST_OF_MONTH = 50

export async function unknownWordsSection(req: Request, { db }: Web): Promise<Html | false> {
  const { orgId, role } = sessionOf(req)
  if (!mayAs(role, 'owner')) return false
  const words = await unknownWords(withDeadline(db, req.context.deadline), orgId, MOST_OF_MONTH)
  return html`<section aria-labelledby="unknown-words">
    <h2 id="unknown-words">${TITLE}</h2>
    ${
      words.length === 0
        ? html`<p class="empty">None in twelve months. Words that no name in your datasets has will stand here.</p>`
        : html`<p class="quiet">
              People and keys of your organisation asked with these words, and no name in its datasets had them. Where a
              dataset records what one means, import it with the word among the <code>synonyms</code> of its attribute:
              <a href="${req.visit.place.basePath}/docs/load.md">how to import</a>.
            </p>
            ${tables(words)}`
    }
    <p class="quiet">
      Only Owners see this. Of a question only such words are kept, for twelve months: not the question, nor who asked.
    </p>
  </section>`
}

const TITLE = 'Words of questions that no dataset had'

function tables(words: readonly UnknownWord[]): Html {
  const earlier = words.filter(({ month }) => month !== words[0]?.month)
  return html`${table(TITLE, columns, words.slice(0, words.length - earlier.length))}
  ${
    earlier.length > 0 &&
    html`<details class="twin">
      <summary>Earlier months</summary>
      ${table(`${TITLE}, earlier months`, columns, earlier)}
    </details>`
  }`
}

const columns: readonly Column<UnknownWord>[] = [
  { heading: 'Month', cell: ({ month }) => month },
  { heading: 'Word', cell: ({ word }) => word, width: 'wide' },
  { heading: 'Times', cell: ({ times }) => number(times), align: 'number' },
]
