/** `npm run test:mutants` tries these mutants of the map's page, too, with LONG=1. */
import type { Mutant } from './mutant.js'

const DATA = 'dist/src/web/map/data.js'

export const mapMutants: Mutant[] = [
  {
    breaks: 'the map reads datasets that cost credits',
    file: DATA,
    from: 'const free = datasets.filter(({ price }) => price === null)',
    to: 'const free = datasets',
    tests: ['web/map'],
  },
  {
    breaks: 'an address names a dataset that the map may not show, and the map shows another',
    file: DATA,
    from: 'if (!found)',
    to: 'if (false)',
    tests: ['web/map'],
    grep: 'withstands',
  },
  {
    breaks: 'a search takes a name with a slip for the name itself',
    file: 'dist/src/web/map/results-panel.js',
    from: 'likeness === 2',
    to: 'likeness > 0.5',
    tests: ['web/map-search'],
    grep: 'slip',
  },
  {
    breaks: 'a search reads accents as letters',
    file: 'sql/map/units_named.sql',
    from: 'normalize(fold_name($1::text), nfd)',
    to: 'fold_name($1::text)',
    tests: ['web/map'],
    grep: 'without accents',
  },
  {
    breaks: 'units of other states stand in the table of a state',
    file: 'sql/map/totals_below_unit.sql',
    from: "($2::text = '' or unit.state = fold_name($2::text))",
    to: 'true',
    tests: ['web/map'],
    grep: 'tells',
  },
  {
    breaks: 'the totals of other attributes stand in the table',
    file: 'sql/map/totals_below_unit.sql',
    from: 'total.attribute = $5::text and ',
    to: '',
    tests: ['web/map'],
  },
  {
    breaks: 'what is typed stands in the page as markup',
    file: 'dist/src/web/html.js',
    from: "'<': '&lt;'",
    to: "'<': '<'",
    tests: ['web/map'],
    grep: 'markup',
  },
  {
    breaks: 'a panel shows the last statement that answered it alone',
    file: 'dist/src/web/recorded-statements.js',
    from: 'statements.push(sent)',
    to: 'statements.splice(0, 1, sent)',
    tests: ['web/panels'],
    grep: 'frames',
  },
  {
    breaks: 'the frames of whole blocks are added up a second time in a large box',
    file: 'sql/map/totals_of_box.sql',
    from: 'where not (found.block',
    to: 'where true or not (found.block',
    tests: ['web/large-box'],
  },
  {
    breaks: 'a box whose west lies east of its east is read',
    file: 'dist/src/web/map/typed-place.js',
    from: 'if (minLon > maxLon)',
    to: 'if (false)',
    tests: ['web/map-forms'],
  },
  {
    breaks: 'a page shows the text of the driver',
    file: 'dist/src/web/errors.js',
    from: 'refusal ?? serviceFault()',
    to: 'refusal ?? { ...serviceFault(), message: thrown.message }',
    tests: ['web/broken-database'],
  },
]
