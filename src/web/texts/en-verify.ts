import type { faVerify } from './fa-verify'

/** Texts of the page that verifies the holder of an account. */
export const enVerify: typeof faVerify = {
  verify: {
    title: 'Verification',
    lead: 'Say once who holds the account, and the limit from before verification is lifted.',
    firstName: 'First name',
    lastName: 'Last name',
    nationalCode: 'National code',
    nationalCodeHint: 'Ten digits; Persian ones will do.',
    birthDate: 'Date of birth (Solar Hijri)',
    day: 'Day',
    month: 'Month',
    year: 'Year',
    consent:
      'I agree that this is checked to verify who I am. The national code is kept encrypted, and removed 90 days after a rejection.',
    send: 'Send',
    again: 'Send again',
    done: 'The holder of this account is verified.',
    doneLead: 'The limit from before verification is gone.',
    waits: 'Under review',
    waitsLead: 'Sent on {when}. A notice will tell you the outcome.',
    rejected: 'Rejected',
    reason: 'Reason: {reason}',
    mismatch: 'This mobile number is not registered to this national code.',
    ownerOnly: 'The owner of the account verifies who they are.',
  },
}
