import type { Static } from '@sinclair/typebox'
import type { CommandForm } from '../../operations/command'
import type { VerificationView } from './verification-fields'

type Viewed = Static<typeof VerificationView>

const which = { name: 'account', about: 'id of the account', as: 'place' } as const

const list: CommandForm<{ readonly data: readonly Viewed[] }> = {
  words: 'verification list',
  about: 'list requests, newest first; those that wait unless told otherwise',
  example: 'verification list --state all',
  object: 'verification',
  list: {
    pages: 'before',
    isNewestFirst: true,
    isWhole: true,
    columns: [
      'account',
      'account_name',
      'person',
      'phone',
      'state',
      'first_name',
      'last_name',
      'national_code',
      'birth_date',
      'provider',
      'reason',
      'by',
      'submitted',
      'decided',
    ],
    heading: ['ACCOUNT', 'STATE', 'NAME', 'NATIONAL CODE', 'PHONE', 'SUBMITTED'],
    cells: (each) => [
      String(each.account),
      each.state,
      each.first_name === null ? '–' : `${each.first_name} ${each.last_name}`,
      each.national_code ?? '–',
      each.phone ?? '–',
      each.submitted,
    ],
  },
}

const shown: CommandForm<Viewed> = {
  words: 'verification show',
  about: 'show one request, its national code masked',
  example: 'verification show 7',
  params: { id: which },
  object: 'verification',
}

const show: CommandForm<Viewed> = {
  ...shown,
  instead: {
    flag: '--national-code',
    about: 'show the whole code; that you looked is in the trail',
    conflicts: [],
    operation: 'verification.code',
    form: shown,
  },
}

const approve: CommandForm<Viewed> = {
  words: 'verification approve',
  about: 'approve a request: the ceiling before verification is gone from the next call on',
  example: 'verification approve 7',
  params: { id: which },
  object: 'verification',
  said: ({ account }) => ({ stdout: [`account ${account} is verified; its people are told`] }),
}

const reject: CommandForm<Viewed> = {
  words: 'verification reject',
  about: 'reject a request, or take an approval back',
  example: 'verification reject 7 --reason "the birth date differs"',
  params: { id: which },
  object: 'verification',
  said: ({ account }) => ({
    stdout: [`account ${account} is not verified; its people are told why`],
  }),
}

/** Commands of operations on verifications. */
export const verificationCommands = { list, show, approve, reject }
