import type { faOperatorAccounts } from './fa-accounts'

export const enOperatorAccounts: typeof faOperatorAccounts = {
  accounts: {
    title: 'Accounts',
    lead: 'Search by name, number, mobile or the beginning of a key.',
    add: 'New account',
    search: 'Search',
    searchHint: 'Name, number, 0912… or sk-…',
    all: 'All',
    active: 'Active',
    suspended: 'Suspended',
    verified: 'verified',
    unverified: 'not verified',
    none: 'No account found',
    noneLead: 'Change the search, or make a new account.',
    name: 'Name of the account',
    verifiedLead: 'The holder’s identity is verified',
    cancel: 'Cancel',
    make: 'Make account',
  },
}
