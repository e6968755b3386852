import { enOperatorAccounts } from './en-accounts'
import { enOperatorDesk } from './en-desk'
import { enOperatorGroups } from './en-groups'
import { enOperatorLive } from './en-live'
import { enOperatorService } from './en-service'
import type { OperatorTexts } from './fa-operator'

export const operatorEn: OperatorTexts = {
  operatorEntrance: {
    tagline: 'For operators',
    title: 'Operator sign-in',
    lead: 'Name, password and a code of your authenticator app.',
    notSetUp:
      'There is no operator yet. Open the link that the program printed when it started; chapar operator link prints another.',
    name: 'Name',
    password: 'Password',
    showPassword: 'Show the password',
    code: 'One-time code',
    codeLead: 'Six digits, or one of your recovery codes',
    passkeyAlone: 'Sign in with a passkey',
    passkeyBeside: 'Passkey in place of the code',
    submit: 'Sign in',
  },
  operatorPasskeys: {
    lead: 'Sign in by one in the place of a one-time code, or by it alone. Making one asks for your password.',
  },
  operatorProof: {
    password: 'Confirm with the password',
  },
  operatorSetup: {
    title: 'New operator',
    leadFirst: 'You become the first operator of this service, and its owner.',
    lead: 'Set a password and connect your authenticator app.',
    nameLead: 'Small letters and digits; the trail of changes names you so.',
    passwordLead: '12 characters at least',
    app: 'Authenticator app',
    appLead: 'Scan this with the app, or type the key below it.',
    qr: 'QR code for the authenticator app',
    secret: 'Key for the authenticator app',
    submit: 'Set up',
    recovery: 'Recovery codes',
    recoveryLead:
      'If you lose your telephone, each of these is taken once in the place of a code of the app. They are not shown again.',
    saved: 'I saved them',
  },
  operatorNav: {
    overview: 'Overview',
    live: 'Live requests',
    videoJobs: 'Videos',
    realtime: 'Realtime sessions',
    steps: 'First steps',
    accounts: 'Accounts',
    groups: 'Groups',
    models: 'Models',
    priceRules: 'Pricing rules',
    proposals: 'Price proposals',
    vendors: 'Vendors',
    bills: 'Bill check',
    payments: 'Payments',
    verifications: 'Verifications',
    codes: 'Redeem codes',
    notices: 'Notices',
    connections: 'SMS, gateways, mail',
    requests: 'Requests',
    settings: 'Service settings',
    trail: 'Trail',
    health: 'Health',
    operators: 'Operators and keys',
  },
  roles: { viewer: 'viewer', staff: 'staff', owner: 'owner' },
  ...enOperatorAccounts,
  ...enOperatorService,
  ...enOperatorGroups,
  ...enOperatorLive,
  ...enOperatorDesk,
  errors: {
    link_invalid: 'This link was used, or is over. chapar operator link prints another.',
    needs_https:
      'Signing in needs https here. Open the console by its https address, or set CHAPAR_URL (CHAPAR_ADMIN_URL).',
    operator_name_invalid: 'A name is small letters, digits, dots and dashes.',
    operator_name_taken: 'An operator is, or was, called so.',
    password_short: 'A password has {min, number} characters at least.',
    password_long: 'A password has {max, number} characters at most.',
    setup_code_wrong: 'The code of the app is wrong. Check the clock of your telephone too.',
    sign_in_wrong: 'Name, password or code is wrong. Each code works once.',
    sign_in_codes_guessed:
      'Somebody who knows your password is guessing codes: for a day, codes of the app alone are not taken. Come in by passkey or recovery code, and set another password.',
    password_wrong: 'The password is not right.',
    passkey_unknown: 'This passkey is not registered here. Sign in by name and password.',
    passkey_invalid: 'The passkey was not accepted. Try again, or sign in by name and password.',
    passkey_cloned:
      'There may be a copy of this passkey. Sign in by name and password, and remove it.',
    sign_in_locked: 'Too many wrong tries. Try again in {waitMinutes, number} min.',
  },
}
