export { countedUnit, nounOf, UNIT_OF_SPELLING } from './counted-things.js'
export { NUMBER_WORDS, SCALE_VALUES, WORD_VALUES } from './number-words.js'
export { type NumberInText, type ReadNumber, readNumbers, valueOfWords, withoutYears, yearsIn } from './numbers.js'
export { unitOfMeasureAt, unitOfMeasureNamed, type UnitOfMeasure } from './units-of-measure.js'
