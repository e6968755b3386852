/** Account of what is a person's own. */
export const ownAccount = 0
/** Person of what goes to the webhook of an account. */
export const noPerson = 0
