/** GET /app/datasets: the datasets that the organisation may read, with what they tell of, their owner and licence. */
import type { Request, RequestHandler } from 'express'
import type { UnknownWord } from '../shell/rows.js'
import { columnsOf } from '../shell/columns.js'
import { typedText } from '../../api/http/query.js'
import { type CatalogueDataset, found, readDatasets } from '../catalogue/data.js'
import { itemsText, licenceText, topicsText } from '../catalogue/words.js'
import { type Column, emptyState, folded, table } from '../shell/components.js'
import { type Html, html } from '../shell/html.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { showSql } from '../shell/show-sql.js'
import { unknownWords } from '../shell/statements.js'
import { mayAs } from '../../core/access/index.js'
import type { Services } from '../../services.js'

const SEARCH_WORDS_MAX = 200

export function datasetsRoute(services: Services): RequestHandler {
  return async (req, res) => {
    const [datasets, unknown] = await Promise.all([
      readDatasets(services, req, services.readerForRequest(req.context.deadline)),
      unknownWordsSection(req),
    ])
    const words = searchWords(req)
    const path = `${req.visit.place.app}/datasets`
    sendPage(res, {
      title: 'Datasets',
      section: '/datasets',
      body: html`${datasetSearch(path, words)} ${list({ datasets: found(datasets, words), words, path })}
        <p class="quiet">
          These are all that your organisation may read. The operator of the service gives licences for more.
        </p>
        ${showSql(req, {
          of: 'panel',
          subject: 'Datasets',
          statements: [{ name: 'datasets_in_reach', args: [sessionOf(req).orgId, null] }],
          analyst: FOR_ANALYSTS,
        })}
        ${unknown}`,
    })
  }
}

const FOR_ANALYSTS = {
  reason: 'No call of the API lists datasets. The view analyst.dataset has all of the database, whoever may read them.',
  select: 'select layer_id, view_name, name, category, kind, vintage, items from analyst.dataset order by layer_id',
}

const searchWords = ({ context: { asked } }: Request): string =>
  (typedText(asked, 'q') ?? '').slice(0, SEARCH_WORDS_MAX)

const datasetSearch = (path: string, words: string): Html =>
  html`<form class="row narrow" method="get" action="${path}" role="search">
    <label for="words">Words</label>
    <input id="words" type="search" name="q" value="${words}" maxlength="${SEARCH_WORDS_MAX}" />
    <button>Search</button>
    ${words !== '' && html`<a href="${path}">All datasets</a>`}
  </form>`

type List = { datasets: readonly CatalogueDataset[]; words: string; path: string }

function list({ datasets, words, path }: List): Html {
  if (datasets.length > 0) return table('Datasets that your organisation may read', datasetColumnsOf(path), datasets)
  return words === ''
    ? emptyState('No datasets', html`<p>Your organisation owns none, and has no licence for one.</p>`)
    : html`<p class="empty">No dataset has all of these words.</p>`
}

const datasetColumnsOf = (path: string): Column<CatalogueDataset>[] => [
  {
    heading: 'Dataset',
    cell: ({ layerId, name }) =>
      html`<a href="${path}/${encodeURIComponent(layerId)}">${name}</a><br /><code class="id">${layerId}</code>`,
    width: 'wide',
  },
  { heading: 'Tells of', cell: topicsText, width: 'wide' },
  {
    heading: 'Category',
    cell: ({ category, vintage }) =>
      html`<span class="whole">${category}</span
        >${vintage !== null && html`<br /><span class="quiet">${vintage}</span>`}`,
  },
  { heading: 'Owner', cell: ({ owner }) => owner },
  { heading: 'Licence', cell: licenceText, width: 'short' },
  { heading: 'Size', cell: itemsText, align: 'number' },
]

const MOST_OF_MONTH = 50

async function unknownWordsSection(req: Request): Promise<Html | false> {
  const { orgId, role } = sessionOf(req)
  if (!mayAs(role, 'owner')) return false
  const words = await unknownWords(req.visit.db, orgId, MOST_OF_MONTH)
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
  return html`${table(TITLE, columnsOf(unknownWords), words.slice(0, words.length - earlier.length))}
  ${
    earlier.length > 0 &&
    folded('twin', 'Earlier months', table(`${TITLE}, earlier months`, columnsOf(unknownWords), earlier))
  }`
}
