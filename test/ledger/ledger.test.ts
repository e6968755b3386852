import { ledger } from './scenario'

ledger(
  'a hold is money, once',
  `
  account A1
  deposit A1 10              balance 10
  hold r1 A1 4               ok balance 10 held 4 available 6
  hold r2 A1 7               insufficient_credit available 6 held 4 needed 7
  settle r1 3.25             balance 6.75 held 0 available 6.75
  settle r1 3.25             closed
  release r1                 closed
  grow r1 1                  closed
  funds A1                   balance 6.75 held 0`,
)

ledger(
  'a released hold costs nothing',
  `
  account A1
  deposit A1 1
  hold r1 A1 1               available 0
  hold r2 A1 0.000000001     insufficient_credit available 0 held 1
  release r1                 balance 1 held 0 available 1
  settle r1 1                closed`,
)

ledger(
  'to the last nano-dollar and no further',
  `
  account A1
  deposit A1 0.000000003
  hold r1 A1 0.000000001     ok
  hold r2 A1 0.000000002     available 0
  hold r3 A1 0.000000001     insufficient_credit
  settle r1 0.000000001
  settle r2 0.000000002      balance 0 held 0`,
)

ledger(
  'real cost above the hold is charged all the same, and the next call is refused',
  `
  account A1
  deposit A1 1
  hold r1 A1 0.5
  settle r1 1.75             balance -0.75 held 0 available -0.75
  hold r2 A1 0.01            insufficient_credit available -0.75 held 0 needed 0.01
  deposit A1 1               balance 0.25
  hold r3 A1 0.25            ok
  release r3`,
  { isBeyondMoney: true },
)

ledger(
  'a hold grows while there is money, and stays what it was when there is none',
  `
  account A1
  deposit A1 1
  hold r1 A1 0.4
  grow r1 0.4                amount 0.8 held 0.8 available 0.2
  grow r1 0.3                insufficient_credit available 0.2 held 0.8 needed 0.3
  funds A1                   held 0.8
  grow r1 0.2                amount 1 available 0
  settle r1 0.9              balance 0.1 held 0`,
)

ledger(
  'what costs nothing needs neither money nor room under a cap',
  `
  account A1 unverified day 0 month 0 key 0
  hold r1 A1 0               ok balance 0 held 0
  settle r1 0                balance 0
  hold r2 A1 0.1             key_spend_limit_reached`,
  { serviceDayCapacity: '0' },
)

ledger(
  'an account that owes may still make free calls',
  `
  account A1
  adjust A1 -2               balance -2
  hold r1 A1 0               ok
  hold r2 A1 0.01            insufficient_credit
  release r1                 balance -2`,
)

ledger(
  'a key stops at its own limit, counting what is held and spent by it alone',
  `
  account A1 key 2
  key A1b A1 key 1
  deposit A1 10
  hold r1 A1 1.5             ok
  hold r2 A1 0.6             key_spend_limit_reached limit 2 spent 1.5 needed 0.6
  hold r3 A1b 1              ok
  hold r4 A1b 0.1            key_spend_limit_reached limit 1 spent 1
  settle r1 1.2
  hold r5 A1 0.8             ok
  hold r6 A1 0.000000001     key_spend_limit_reached limit 2 spent 2
  settle r3 1
  settle r5 0.8
  spent A1                   amount 2
  spent A1b                  amount 1
  time 2027-11-20T12:00:00Z
  hold r7 A1 0.1             key_spend_limit_reached limit 2 spent 2`,
)

ledger(
  'a project stops at its budget over all its keys, until the next month',
  `
  account A1 month 3
  key A1b A1
  deposit A1 100
  hold r1 A1 2
  hold r2 A1b 1.5            project_budget_exceeded limit 3 spent 2 needed 1.5
  hold r3 A1b 1              ok
  settle r1 2
  settle r3 1
  flush
  hold r4 A1 0.1             project_budget_exceeded limit 3 spent 3
  time 2026-11-30T23:59:59.999Z
  hold r5 A1 0.1             project_budget_exceeded
  time 2026-12-01T00:00:00Z
  hold r6 A1 3               ok
  settle r6 3`,
)

ledger(
  'an account stops at its daily cap, until midnight UTC',
  `
  account A1 day 5
  deposit A1 100
  hold r1 A1 5
  hold r2 A1 0.1             daily_cap_reached limit 5 spent 5 needed 0.1
  settle r1 4
  hold r3 A1 1               ok
  settle r3 1
  time 2026-11-20T23:59:59.999Z
  hold r4 A1 0.1             daily_cap_reached limit 5 spent 5
  time 2026-11-21T00:00:00Z
  hold r5 A1 5               ok
  settle r5 5`,
)

ledger(
  'a charge counts in the day its call was opened, however late it ends',
  `
  account A1 day 5
  deposit A1 100
  time 2026-11-20T23:59:00Z
  hold r1 A1 4
  time 2026-11-21T00:01:00Z
  hold r2 A1 5               ok
  hold r3 A1 0.1             daily_cap_reached limit 5 spent 5
  settle r1 4
  hold r4 A1 0.1             daily_cap_reached limit 5 spent 5
  time 2026-11-20T23:59:59Z
  hold r5 A1 1               ok
  hold r6 A1 0.1             daily_cap_reached limit 5 spent 5
  release r5
  release r2
  time 2026-11-21T00:02:00Z
  hold r7 A1 5               ok
  settle r7 5                balance 91 held 0`,
)

ledger(
  'a call that grows past midnight stays under the cap of its own day',
  `
  account A1 day 5
  deposit A1 100
  time 2026-11-20T23:59:00Z
  hold r1 A1 4
  time 2026-11-21T00:01:00Z
  hold r2 A1 4
  grow r1 1                  amount 5
  grow r1 0.1                daily_cap_reached limit 5 spent 5
  grow r2 1                  amount 5
  settle r1 5
  settle r2 5`,
)

ledger(
  'before verification an account may spend two dollars in all',
  `
  account A1 unverified
  deposit A1 100
  hold r1 A1 2.1             kyc_required limit 2 spent 0 needed 2.1
  hold r2 A1 1.5
  settle r2 1.5
  flush
  time 2027-11-20T00:00:00Z
  hold r3 A1 0.6             kyc_required limit 2 spent 1.5 needed 0.6
  hold r5 A1 0               ok
  hold r4 A1 0.5             ok
  hold r6 A1 0               ok
  settle r4 0.5
  hold r7 A1 0               kyc_required limit 2 spent 2 needed 0
  release r5
  release r6`,
)

ledger(
  'a verified account has no such ceiling',
  `
  account A1
  deposit A1 100
  hold r1 A1 50              ok
  settle r1 50`,
)

ledger(
  'the service stops at its capacity of a day, over all accounts',
  `
  account A1
  account A2
  deposit A1 100
  deposit A2 100
  hold r1 A1 6               ok
  hold r2 A2 5               daily_capacity_reached
  hold r3 A2 4               ok
  settle r1 1
  hold r4 A2 5               ok
  settle r3 4
  settle r4 5
  hold r5 A1 0.01            daily_capacity_reached
  time 2026-11-21T00:00:00Z
  hold r6 A1 10              ok
  release r6`,
  { serviceDayCapacity: '10' },
)

ledger(
  'caps are named in a fixed order, the balance last',
  `
  account A1 unverified day 1 month 1 key 1
  account A2 unverified day 1 month 1
  account A3 unverified day 1
  account A4 unverified
  account A5
  hold r1 A1 3               key_spend_limit_reached
  hold r2 A2 3               project_budget_exceeded
  hold r3 A3 3               daily_cap_reached
  hold r4 A4 3               kyc_required
  hold r5 A5 3               daily_capacity_reached
  hold r6 A5 1               insufficient_credit`,
  { serviceDayCapacity: '2' },
)

ledger(
  'a refused hold leaves nothing behind under any cap',
  `
  account A1 day 5 month 5 key 5
  deposit A1 1
  hold r1 A1 2               insufficient_credit
  held                       amount 0
  deposit A1 4
  hold r2 A1 5               ok
  held                       amount 5
  settle r2 5                balance 0`,
)

ledger(
  'money moved by another process is seen, and what is held stays held',
  `
  account A1
  deposit A1 1
  hold r1 A1 0.6
  settle r1 0.5              balance 0.5
  hold r2 A1 0.4
  deposit A1 2               balance 2.5 held 0.4 available 2.1
  flush
  deposit A1 1               balance 3.5 held 0.4
  adjust A1 -3               balance 0.5 available 0.1
  hold r3 A1 0.2             insufficient_credit available 0.1 held 0.4
  settle r2 0.4              balance 0.1 held 0`,
)
