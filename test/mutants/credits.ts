/** Mutants of what is charged, given back and held. */
import type { Mutant } from './mutant.js'

const CHARGE = 'sql/functions/call_charge.sql'
const OPEN = 'sql/functions/hold_open.sql'

export const creditMutants: Mutant[] = [
  {
    breaks: 'the account is not locked',
    file: CHARGE,
    from: ' for no key update',
    to: '',
    tests: ['credits/step-orders'],
    grep: 'two charges on credits for one',
  },
  {
    breaks: 'a request that was charged is charged again',
    file: CHARGE,
    from: 'if charged is not null then',
    to: 'if false then',
    tests: ['credits/ledger'],
    grep: 'keeps to what was decided',
  },
  {
    breaks: 'credits that one dataset takes are there for the next',
    file: 'sql/functions/prices_covered.sql',
    from: 'balance - prices[place]',
    to: 'balance',
    tests: ['routes/data-charges'],
    grep: 'some, as the credits do not cover all',
  },
  {
    breaks: 'what a failed call was charged is not given back',
    file: 'sql/functions/call_void.sql',
    from: "and kind = 'dataset'",
    to: 'and false',
    tests: ['credits/ledger'],
    grep: 'refunds the charges of a request once',
  },
  {
    breaks: 'datasets are charged for before it is known whether they contribute',
    file: 'src/api/routes/frames-data.ts',
    from: 'payer, datasetsWithRecords(frames, datasets), hangUp',
    to: 'payer, datasets, hangUp',
    tests: ['routes/data-charges'],
    grep: 'not where it records nothing',
  },
  {
    breaks: 'a client that hung up pays',
    file: 'src/core/credits/charging.ts',
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
    file: OPEN,
    from: 'allowance_used + held - held_by_credits >=',
    to: 'allowance_used >=',
    tests: ['insight/allowance'],
    grep: 'hold their places',
  },
  {
    breaks: 'words of a person know no limit a day',
    file: OPEN,
    from: "if key like 'per\\_%' then",
    to: 'if false then',
    tests: ['insight/allowance'],
    grep: 'that an owner set',
  },
  {
    breaks: 'the daily ceiling is forgotten',
    file: OPEN,
    from: 'if used_today + held >= daily then',
    to: 'if false then',
    tests: ['insight/allowance'],
    grep: '1,000 a day',
  },
  {
    breaks: 'a question on a page is charged without a yes',
    file: 'src/app/ask/place-answer.ts',
    from: '{ ...call, charge: billWithoutCharge }',
    to: 'call',
    tests: ['web/ask'],
    grep: 'charges nothing and asks for no words',
  },
  {
    breaks: 'a person chooses the id that the ledger charges once',
    file: 'src/app/ask/spending-form.ts',
    from: '!timingSafeEqual(came, expected)',
    to: 'false',
    tests: ['web/ask'],
    grep: 'its own question',
  },
]
