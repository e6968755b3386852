import type { faOperatorErrors } from './fa-errors'

export const enOperatorErrors: typeof faOperatorErrors = {
  link_invalid: 'This link was used, or is over. chapar operator link prints another.',
  operator_name_invalid: 'A name is small letters, digits, dots and dashes.',
  operator_name_taken: 'An operator is, or was, called so.',
  password_short: 'A password has {min, number} characters at least.',
  password_long: 'A password has {max, number} characters at most.',
  setup_code_wrong: 'The code of the app is wrong. Check the clock of your telephone too.',
  sign_in_wrong: 'Name, password or code is wrong. Each code works once.',
  sign_in_locked: 'Too many wrong tries. Try again in {waitMinutes, number} min.',
  role_too_low: 'That takes the role “{needed}”; yours is “{role}”.',
  input_invalid: '{field}: {rule}',
}
