import { enAccount, enAccountErrors, enAccountNav } from './en-account'
import { enHolder, enHolderErrors, enHolderNav } from './en-holder'
import { enCredit, enCreditErrors, enCreditNav } from './en-credit'
import { enMoney, enMoneyNav } from './en-money'
import { enPeople, enPeopleErrors } from './en-people'
import type { Texts } from './fa'

export const en: Texts = {
  app: { tagline: 'One key, every model' },
  forms: { save: 'Save', cancel: 'Cancel' },
  signIn: {
    submit: 'Sign in',
    title: 'Sign in to {service}',
    lead: 'Enter your mobile number; we will text you a code.',
    phone: 'Mobile number',
    send: 'Send code',
    codeTitle: 'Enter the code',
    codeLead: 'We texted {count, number} digits to <phone>{number}</phone>.',
    sentBefore:
      'Many codes were asked for this number, so we send no other one now. Enter the {count, number} digits that we texted to <phone>{number}</phone> {minutes, plural, one {a minute} other {# minutes}} ago.',
    longCode: 'Code of {count, number} digits',
    digit: 'Digit {index, number} of the code',
    resend: 'Send another code',
    resendIn: 'Another code in {seconds} s',
    change: 'Change number',
    inTerminal:
      'This service is in demo mode, and nothing was texted: the code stands on its terminal, or in its log.',
    models: 'Models and their prices',
    home: 'Home page',
    terms: 'By signing in you accept the terms. We keep nothing of what you say to models.',
  },
  ...enAccount,
  ...enPeople,
  ...enMoney,
  ...enHolder,
  ...enCredit,
  nav: {
    ...enAccountNav,
    ...enMoneyNav,
    ...enCreditNav,
    models: 'Models',
    playground: 'Playground',
    ...enHolderNav,
    home: 'Home',
    members: 'Members',
    settings: 'Settings',
    docs: 'Documentation',
    signOut: 'Sign out',
    skip: 'Skip to content',
    menu: 'Menu',
  },
  home: {
    balance: 'Balance',
    held: '{amount} is set aside for running requests.',
    suspended: 'This account is closed and its requests are refused. Please contact support.',
    account: 'Account',
    verified: 'verified',
    unverified: 'not verified',
    phone: 'Mobile number',
    role: 'Your role',
    owner: 'owner',
    member: 'member',
    number: 'Account number',
    firstStep: 'Your first request',
    firstStepLead:
      'Programs call with a key. Make one: its page has code to paste, and tries it with a real request.',
    makeKey: 'Make a key',
    guide: 'How it works',
  },
  settings: {
    sessions: 'Signed-in devices',
    sessionsLead: 'Everywhere you signed in with this number.',
    endAll: 'Sign out everywhere',
    current: 'this device',
    seen: 'Last seen {when}',
    unknownDevice: 'Unknown device',
  },
  phoneMoves: {
    lead: 'Support changes the mobile number of this account on {when}, and you are signed out everywhere. If you did not ask for it, keep the number.',
    keep: 'Keep the number',
  },
  errors: {
    ...enAccountErrors,
    ...enPeopleErrors,
    model_not_found: 'No model with this id is on sale now.',
    ...enHolderErrors,
    ...enCreditErrors,
    phone_invalid: 'This is not an Iranian mobile number. Example: 0912 345 6789',
    code_wrong: 'The code is wrong. {left, plural, one {One try} other {# tries}} left.',
    code_expired:
      'This code does not hold here: it has expired, or another browser asked for it. Ask for another one.',
    code_long_wrong:
      'The code is wrong. Enter all {digits, number} digits of the last SMS that has so many.',
    code_void: 'Too many wrong tries: this code holds no more. Ask for another one.',
    code_locked:
      'Too many wrong codes were tried for this number from other devices. Sign in with a device or from a place that you used before, with a passkey, or in {waitHours, plural, one {an hour} other {# hours}}; support can lift this at once.',
    code_too_soon: 'A code is on its way. Try again in {waitSeconds, number} s.',
    code_too_often:
      'Too many codes were asked for. Use a device that you signed in with before, or try again in {waitMinutes, number} min.',
    sms_capacity:
      'We cannot send codes to new devices right now. Use a device that you signed in with before, a passkey, or try again in {waitMinutes, number} min.',
    sms_failed: 'The SMS could not be sent. Try again in a moment.',
    too_many_requests: 'Too many requests. Try again in {waitSeconds, number} s.',
    read_too_long: 'This took too long to read. Choose a shorter range.',
    read_too_many: 'Too many people read right now. Try again in a moment.',
    signed_out: 'You are signed out. Sign in again.',
    forged: 'This request did not come from a page of this service.',
    needs_https:
      'Signing in needs https here. Open the page by its https address; the operator may set CHAPAR_URL.',
    not_found: 'There is nothing here.',
    invalid: 'The request is not valid. Reload the page.',
    unavailable: 'The service cannot save anything right now. Try again in a moment.',
    other: 'That did not work. Try again.',
    retry: 'Retry',
  },
  scheme: { toggle: 'Light or dark' },
}
