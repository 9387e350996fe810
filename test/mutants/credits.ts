/** Mutants of what is charged, given back and held. */
import type { Mutant } from './mutant.js'

const ACCOUNT = 'src/credits/account.ts'
const ALLOWANCE = 'src/credits/allowance.ts'
const LEDGER = 'src/credits/ledger.ts'

export const creditMutants: Mutant[] = [
  {
    breaks: 'the account is not locked',
    file: ACCOUNT,
    from: '.forNoKeyUpdate()',
    to: '',
    tests: ['credits/step-orders'],
    grep: 'two charges on credits for one',
  },
  {
    breaks: 'a request that was charged is charged again',
    file: LEDGER,
    from: 'if (earlier.length > 0)',
    to: 'if (false)',
    tests: ['credits/ledger'],
    grep: 'keeps to what was decided',
  },
  {
    breaks: 'credits that one dataset takes are there for the next',
    file: LEDGER,
    from: 'left -= price',
    to: 'left -= 0',
    tests: ['routes/data-charges'],
    grep: 'some, as the credits do not cover all',
  },
  {
    breaks: 'what a failed call was charged is not given back',
    file: LEDGER,
    from: 'if (charges.length === 0) return',
    to: 'if (charges.length >= 0) return',
    tests: ['credits/ledger'],
    grep: 'refunds the charges of a request once',
  },
  {
    breaks: 'datasets are charged for before it is known whether they contribute',
    file: 'src/routes/frames-data.ts',
    from: 'payer, datasetsWithRecords(frames, datasets), hangUp',
    to: 'payer, datasets, hangUp',
    tests: ['routes/data-charges'],
    grep: 'not where it records nothing',
  },
  {
    breaks: 'a client that hung up pays',
    file: 'src/credits/charging.ts',
    from: `if (hangUp.aborted) return undefined
  const bill = await chargeCall(ledger, call, contributing)
  if (!hangUp.aborted) return bill`,
    to: `const bill = await chargeCall(ledger, call, contributing)
  if (Date.now() > 0) return bill`,
    tests: ['mcp/metering'],
    grep: 'costs nothing where the client hung up',
  },
  {
    breaks: 'the ledger takes an entry twice',
    statement: `alter table credit_entry drop constraint credit_entry_once;
      alter table credit_entry add constraint credit_entry_once unique (org_id, request_id, kind, ref, entry_id)`,
    tests: ['credits/ledger'],
    grep: 'tops up once',
  },
  {
    breaks: 'a charge that commits after its call failed is not refused',
    file: 'sql/functions/change_balance.sql',
    from: "where added.kind = 'dataset' limit 1",
    to: 'where false limit 1',
    tests: ['credits/step-orders'],
    grep: 'the decision that its call failed',
  },
  {
    breaks: 'answers under way hold no place',
    file: ALLOWANCE,
    from: 'used.thisMonth + held.length - byCredits <',
    to: 'used.thisMonth <',
    tests: ['insight/allowance'],
    grep: 'hold their places',
  },
  {
    breaks: 'the holds of dead processes stay',
    file: ALLOWANCE,
    from: ".where('expires_at', '<=', sql<Date>`ledger_clock()`)",
    to: ".where('expires_at', '<=', sql<Date>`'-infinity'::timestamptz`)",
    tests: ['insight/allowance'],
    grep: 'hold of a dead process',
  },
  {
    breaks: 'an answer that is posted again is counted again',
    file: ALLOWANCE,
    from: 'if (!hold || hold.posted) return',
    to: 'if (!hold) return',
    tests: ['insight/allowance'],
    grep: 'counts an answer once',
  },
  {
    breaks: 'the daily ceiling is forgotten',
    file: ALLOWANCE,
    from: 'if (used.today + held.length >= DAILY_CEILING)',
    to: 'if (false)',
    tests: ['insight/allowance'],
    grep: '1,000 a day',
  },
  {
    breaks: 'an answer that came without words keeps its place',
    file: 'src/insight/paid-words.ts',
    from: 'await releaseCallHold(call)',
    to: 'await Promise.resolve()',
    tests: ['insight/insight'],
    grep: 'counts nothing and says why when wording fails',
  },
  {
    breaks: 'a question on a page is charged without a yes',
    file: 'src/web/ask/place-answer.ts',
    from: '{ ...call, charge: billWithoutCharge }',
    to: 'call',
    tests: ['web/ask'],
    grep: 'charges nothing and asks for no words',
  },
  {
    breaks: 'a person chooses the id that the ledger charges once',
    file: 'src/web/ask/spending-form.ts',
    from: '!timingSafeEqual(came, expected)',
    to: 'false',
    tests: ['web/ask'],
    grep: 'its own question',
  },
]
