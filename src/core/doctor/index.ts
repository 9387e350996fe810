export type { CheckBounds } from './check.js'
export { CHECKS } from './checks.js'
export { examine, type Finding, type Report, verdict } from './examine.js'
