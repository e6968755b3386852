import type { Texts } from './fa'

type Holder = Pick<Texts, 'kyc' | 'notices' | 'account'>

export const enHolder: Holder = {
  kyc: {
    banner: 'Before verification you can spend {ceiling}; then requests are refused.',
    bannerNear: 'Little is left: after {ceiling} requests are refused until you are verified.',
    bannerFull: 'All of {ceiling} is spent and requests are refused. Verify who you are.',
    waits: 'Your verification has arrived and is looked at.',
    rejected: 'Your verification was rejected. See why, and send it again.',
    bar: 'Spent before verification',
    of: '{spent} of {ceiling}',
    go: 'Verify',
    see: 'See',
  },
  notices: {
    title: 'Notices',
    lead: 'What happens in your account, and how it reaches you.',
    bell: 'Notices',
    unread: '{count, plural, one {# new notice} other {# new notices}}',
    new: 'new',
    empty: 'No notices yet',
    emptyLead: 'Limits, a low balance, payments and sign-ins are told here.',
    ways: 'Ways',
    waysLead: 'Switch for each what reaches you by which way.',
    about: 'About',
    fixed: 'always',
    language: 'Language of SMS and mail',
    persian: 'Persian',
    english: 'English',
  },
  account: {
    title: 'Account',
    lead: 'Name, warning of a low balance, your data, and closing the account.',
    name: 'Account name',
    floor: 'Warn below a balance of',
    floorHint: 'You are told when the balance falls below. Empty: what the service has set.',
    floorHintOf:
      'You are told when the balance falls below. Empty: {amount}, as the service has set.',
    save: 'Save',
    kept: 'Saved.',
    people: 'Members and devices',
    peopleLead: 'Who belongs to it, and where they are signed in.',
    toMembers: 'Members',
    toSettings: 'Number and devices',
    toNotices: 'Notices and their language',
    data: 'Your data',
    dataLead:
      'All that we keep of this account in one file: people, projects, keys without secrets, requests, payments and statement.',
    download: 'Download file',
    closing: 'Close the account',
    closingLead:
      'Keys are revoked, everybody is signed out, and what tells of people is removed. Movements of money and sizes of requests stay in the books. This cannot be undone.',
    close: 'Close account',
    left: '{amount} is left and does not go back to a card. Spend it before you close, or give it up.',
    typeName: 'To give the balance up, type the name of the account: {name}',
    typeNameEmpty: 'To confirm, type the name of the account: {name}',
    keep: 'Keep it',
    closeNow: 'Close for good',
    giveUp: 'Give up {amount} and close',
  },
}

export const enHolderErrors = {
  email_invalid: 'This is not an e-mail address. Example: sara@example.com',
  email_code_too_soon: 'A code is on its way. Try again in {waitSeconds, number} s.',
  email_code_too_often: 'Too many codes were asked for. Try again in {waitMinutes, number} min.',
  email_code_wrong: 'The code is wrong. {left, plural, one {One try} other {# tries}} left.',
  email_code_expired: 'This code holds no more. Ask for another one.',
  email_not_sent: 'The mail could not be sent. Check the address, and try again in a moment.',
  mail_off: 'This service sends no mail yet.',
  webhook_invalid: 'The address must begin with https://',
  webhook_private: 'This address is of a private network or of this machine. It must be public.',
  choice_fixed: 'This one is always on.',
  name_invalid: 'Write the name in letters.',
  national_code_invalid: 'This national code is not right. Enter the ten digits of the card.',
  birth_date_invalid: 'This date of birth is not right.',
  verified_already: 'This account is verified.',
  verification_waits: 'The earlier request is still looked at.',
  national_code_taken: 'Another account is verified by this national code. Please contact support.',
  verification_too_often: 'You sent it three times today. Try again tomorrow.',
  account_busy: 'A request is running. Try again in a moment.',
  payment_waits: 'A payment is still open at the bank. Try again in twenty minutes.',
  account_owes: 'The balance is below zero. Please contact support.',
  balance_left: 'There is money left. Type the name of the account to give it up.',
  account_name_differs: 'That is not the name of the account.',
}

export const enHolderNav = {
  account: 'Account',
}
