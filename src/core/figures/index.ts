export { type Bounds, type Figure as AlgebraFigure, type Filter, type Measure, sumOf } from './algebra.js'
export { computeFigure, unitsOf } from './compute.js'
export { framesPassing, isOfPlace, testOfBounds } from './conditions.js'
export { changeLabel, labelsApart, STATISTIC_LABELS } from './facet-text.js'
export type { Facet, LabelledValue } from './facets.js'
export {
  commonestText,
  holderText,
  insideSentence,
  intervalText,
  listText,
  unitOfOne,
  WHOLE_FROM,
  withUnit,
} from './figure-text.js'
export { AREA, type FrameSet, isOfFew, setOfIds, setOfPlace, unitOf } from './frame-set.js'
export { framesOf } from './measures.js'
export { nameText, nounPhrases, refOf, type Told, type TypedFacet } from './nouns.js'
export {
  figureText,
  FEATURES,
  type Profile,
  type ProfileFigure,
  profileOf,
  setInPlace,
  type UnitFigure,
} from './profile.js'
export { type Reads, readsOf, type SentStatement } from './reads.js'
export { type Recorded, recordedOn } from './recorded.js'
export { wordingsOf } from './results/results.js'
export {
  describe,
  describedAttribute,
  describedFeatures,
  type Description,
  figureSubject,
  INDEX,
  isYearOf,
  type Subject,
  usualStatistics,
} from './subject.js'
export type {
  Figure,
  FigureStatistic,
  FigureSubject,
  Result,
  Source,
  SourceCondition,
  Test,
  TypedFigure,
} from './typed.js'
