import type { faNotices } from './fa-notices'

/** Texts of the page of notices. */
export const enNotices: typeof faNotices = {
  noticeTopics: {
    security: 'Security',
    balance: 'Low balance',
    payments: 'Payments',
    caps: 'Limits reached',
    key_made: 'New key',
    key_ending: 'Key ends',
    sign_in: 'Sign-in from a new place',
    phone: 'Number moved by support',
    verification: 'Verification',
    invitation: 'Invitation',
  },
  noticeWays: {
    bell: 'App',
    sms: 'SMS',
    email: 'Mail',
    webhook: 'Webhook',
  },
  email: {
    title: 'E-mail address',
    lead: 'Notices are sent to this address too.',
    off: 'This service sends no mail yet.',
    none: 'You have no address.',
    address: 'Address',
    send: 'Send code',
    code: 'The code we sent to {email}',
    confirm: 'Confirm',
    change: 'Another address',
    remove: 'Remove address',
  },
  webhook: {
    title: 'Webhook of the account',
    lead: 'Notices of the account go to a program of yours too; to public https addresses only.',
    url: 'Address',
    save: 'Save',
    secret: 'Secret of its signature; shown this once:',
    saved: 'I saved it',
    remove: 'Remove webhook',
  },
}
