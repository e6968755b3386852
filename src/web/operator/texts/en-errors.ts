import type { faOperatorErrors } from './fa-errors'

export const enOperatorErrors: typeof faOperatorErrors = {
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
}
