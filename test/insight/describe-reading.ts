import type { Ask, Condition, NamedPlace, Reading, Subject, Test } from '../../src/insight/reading/reading.js'

/** One line of text for a reading: "Population: usual where Clinics none; unknown: cholera". */
export function describeReading({ asks, unknown, unanswered, compares, wants }: Reading): string {
  return [
    ...asks.map(askText),
    ...(unknown.length > 0 ? [`unknown: ${unknown.join(', ')}`] : []),
    ...(unanswered.length > 0 ? [`unanswered: ${unanswered.join(', ')}`] : []),
    ...(compares ? ['compares'] : []),
    ...(wants === 'figures' ? [] : [wants]),
  ].join('; ')
}

export function askText({ subject, operation, where, places = [] }: Ask): string {
  const { op, ...more } = operation
  const details = Object.values(more).map((value) =>
    typeof value !== 'object' ? String(value) : 'test' in value ? testText(value) : subjectText(value),
  )
  return [subjectText(subject), op, ...details, ...where.map(conditionText), ...places.map(placeText)].join(' ')
}

const placeText = ({ text, unit = '', isExcluded }: NamedPlace) =>
  `[${isExcluded ? 'not ' : ''}in ${`${text} ${unit}`.trim()}]`

function subjectText(subject: Subject): string {
  switch (subject.kind) {
    case 'attribute':
      return subject.attribute
    case 'features':
      return subject.layerId
    case 'property':
      return `${subject.layerId}.${subject.property}`
    case 'index':
      return `index.${subject.figure}`
  }
}

function conditionText({ subject, test }: Condition): string {
  const { test: name, ...values } = test
  const details = Object.entries(values).map(([key, value]) => (key === 'value' ? value : `${key} ${value}`))
  return `[${[subjectText(subject), ...(name === 'bounds' ? [] : [name]), ...details].join(' ')}]`
}

const testText = (test: Test) =>
  Object.entries(test)
    .map(([key, value]) => (key === 'test' ? value : `${key} ${value}`))
    .join(' ')
