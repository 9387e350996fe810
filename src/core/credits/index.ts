export { type CoveredBy, DAILY_CEILING, MONTHLY_ALLOWANCE, postHold } from './allowance.js'
export {
  type Bill,
  billWithoutCharge,
  chargeCall,
  chargeUnlessHungUp,
  type Ledger,
  openCallHold,
  type PaidCall,
  paidId,
  type Quote,
  quoteCall,
  refundCall,
  releaseCallHold,
} from './charging.js'
export { charge, topUp } from './ledger.js'
export { enterRepetition } from './repeating.js'
export { openRefunds, type Refunds } from './refunds.js'
