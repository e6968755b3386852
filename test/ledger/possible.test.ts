import { ledger } from './scenario'

ledger(
  'what a call can cost is reserved where there is money for it, and refuses nobody',
  `
  account A1
  deposit A1 10
  hold r1 A1 1 possible 9      held 1 available 9 metered false
  hold r2 A1 1 possible 2      held 2 available 8 metered true
  hold r3 A1 8 possible 8      held 10 available 0
  hold r4 A1 0.01              insufficient_credit held 10
  release r3
  settle r1 1                  balance 9 held 1
  hold r5 A1 1 possible 8      metered false
  release r2
  release r5                   balance 9 held 0 available 9`,
)

ledger(
  'a call that is metered as it comes grows up to what others may cost',
  `
  account A1
  deposit A1 10
  hold r1 A1 1 possible 6      metered false
  hold r2 A1 1 possible 20     metered true
  grow r2 3                    amount 4
  grow r2 0.01                 insufficient_credit held 10 available 0
  grow r1 5                    amount 6
  grow r1 0.01                 insufficient_credit
  settle r1 2
  grow r2 4                    amount 8
  charge r2 8                  cost 8 balance 0`,
)

ledger(
  'nothing is charged that is not there, whatever is counted',
  `
  account A1
  deposit A1 10
  hold r1 A1 1 possible 6      metered false
  hold r2 A1 1 possible 20     metered true
  charge r2 500                cost 4 balance 6
  charge r1 500                cost 6 balance 0
  deposit A1 1
  hold r3 A1 1 possible 1
  adjust A1 -0.75
  charge r3 1                  cost 0.25 balance 0`,
)

ledger(
  'every cap counts what is reserved, and a count stays below each',
  `
  account A1 day 5 month 4 key 3
  deposit A1 100
  hold r1 A1 1 possible 3.5    metered true
  release r1
  hold r2 A1 1 possible 3      metered false
  hold r3 A1 1 possible 1.5    metered true
  charge r3 50                 cost 1 balance 99
  charge r2 50                 cost 2 balance 97
  key A1b A1
  hold r4 A1b 1 possible 1.5   metered true
  charge r4 50                 cost 1 balance 96`,
)

ledger(
  'what a call gives back while it runs is there for others at once',
  `
  account A1 day 5
  deposit A1 10
  hold r1 A1 4 possible 20     metered true
  hold r2 A1 2                 daily_cap_reached
  lower r1 3                   amount 1 held 1 available 9
  hold r2 A1 2                 held 3
  settle r1 1                  balance 9 held 2
  release r2                   held 0`,
)
