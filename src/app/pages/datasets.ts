/** GET /app/datasets: the datasets that the organisation may read, with what they tell of, their owner and licence. */
import type { Request, RequestHandler } from 'express'
import { decode } from '../../api/http/query.js'
import type { Services } from '../../services.js'
import { emptyState, table, type Column } from '../shell/components.js'
import { found, readCatalogue, type CatalogueDataset } from '../catalogue/data.js'
import { itemsText, licenceText, topicsText } from '../catalogue/words.js'
import { html, type Html } from '../shell/html.js'
import { sendPage } from '../shell/send-page.js'
import { showSql } from '../shell/show-sql.js'
import { sessionOf } from '../shell/session.js'
import type { Web } from '../shell/web.js'
import { unknownWordsSection } from './unknown-words.js'

const WORDS_MAX = 200

export function datasetsRoute(services: Services, web: Web): RequestHandler {
  return async (req, res) => {
    const [datasets, unknownWords] = await Promise.all([
      readCatalogue(services, req, services.readerForRequest(req.context.deadline)),
      unknownWordsSection(req, web),
    ])
    const words = wordsOf(req)
    const path = `${req.visit.place.app}/datasets`
    sendPage(res, {
      title: 'Datasets',
      section: '/datasets',
      body: html`${searchForm(path, words)} ${list({ datasets: found(datasets, words), words, path })}
        <p class="quiet">
          These are all that your organisation may read. The operator of the service gives licences for more.
        </p>
        ${showSql(req, {
          of: 'panel',
          subject: 'Datasets',
          statements: [{ name: 'datasets_in_reach', args: [sessionOf(req).orgId, null] }],
          analyst: FOR_ANALYSTS,
        })}
        ${unknownWords}`,
    })
  }
}

const FOR_ANALYSTS = {
  reason: 'No call of the API lists datasets. The view analyst.dataset has all of the database, whoever may read them.',
  select: 'select layer_id, view_name, name, category, kind, vintage, items from analyst.dataset order by layer_id',
}

function wordsOf({ context: { asked } }: Request): string {
  const [sent = ''] = asked.get('q') ?? []
  return (decode(sent.replaceAll('+', ' ')) ?? '').trim().slice(0, WORDS_MAX)
}

const searchForm = (path: string, words: string): Html =>
  html`<form class="inline search" method="get" action="${path}" role="search">
    <label for="words">Words</label>
    <input id="words" type="search" name="q" value="${words}" maxlength="${WORDS_MAX}" />
    <button>Search</button>
    ${words !== '' && html`<a href="${path}">All datasets</a>`}
  </form>`

type List = { datasets: readonly CatalogueDataset[]; words: string; path: string }

function list({ datasets, words, path }: List): Html {
  if (datasets.length > 0) return table('Datasets that your organisation may read', columnsOf(path), datasets)
  return words === ''
    ? emptyState('No datasets', html`<p>Your organisation owns none, and has no licence for one.</p>`)
    : html`<p class="empty">No dataset has all of these words.</p>`
}

const columnsOf = (path: string): Column<CatalogueDataset>[] => [
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
