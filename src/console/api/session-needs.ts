/**
 * Authentication that a change requires. `nothing`: anonymous clients may send it, or it carries its own
 * proof. `session`: a signed-in person. `fresh proof`: a code or a passkey shown in this session a moment ago;
 * a function says of a body whether it needs one.
 */
type SessionNeed = 'nothing' | 'session' | 'fresh proof' | ((body: unknown) => boolean)

/** Topics whose notices tell a person of somebody else in their place. */
const watchful: ReadonlySet<unknown> = new Set(['sign_in', 'key_made'])

const silencesWarning = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  'on' in body &&
  body.on === false &&
  'topic' in body &&
  watchful.has(body.topic)

/**
 * Every route of the pages' API that changes something. A stolen session must stay small: by what needs a
 * fresh proof somebody would stay in once the session is over, keep others from hearing of it, or take
 * away what does not come back.
 */
export const sessionNeeds: Readonly<Record<string, SessionNeed>> = {
  'POST /sign-in': 'nothing',
  'POST /sign-in/check': 'nothing',
  'POST /sign-in/passkey/options': 'nothing',
  'POST /sign-in/passkey': 'nothing',
  'POST /sign-in/sister': 'nothing',
  'POST /sign-in/sister/ticket': 'nothing',
  'PUT /session': 'session',
  'DELETE /session': 'nothing',
  'DELETE /sessions/:id': 'session',
  'DELETE /sessions': 'session',
  'POST /proof/code': 'session',
  'POST /proof/code/check': 'session',
  'POST /proof/passkey/options': 'session',
  'POST /proof/passkey': 'session',
  'POST /look': 'nothing',
  'DELETE /look': 'nothing',
  'POST /phone': 'fresh proof',
  // A code of the number of now comes with it.
  'POST /phone/check': 'session',
  'DELETE /phone/move': 'fresh proof',
  'POST /passkeys/options': 'fresh proof',
  'POST /passkeys': 'fresh proof',
  'PATCH /passkeys/:id': 'session',
  'DELETE /passkeys/:id': 'fresh proof',
  'POST /members/invitations': 'fresh proof',
  'DELETE /members/invitations/:id': 'session',
  'PATCH /members/:person': 'fresh proof',
  'POST /members/:person/transfer': 'fresh proof',
  'DELETE /members/:person': 'fresh proof',
  'POST /invitations/:id/accept': 'session',
  'DELETE /invitations/:id': 'session',
  'POST /keys': 'fresh proof',
  'PATCH /keys/:id': 'session',
  'POST /keys/:id/switch': 'session',
  'POST /keys/:id/revoke': 'session',
  'POST /projects': 'session',
  'PATCH /projects/:id': 'session',
  'POST /top-ups': 'session',
  'POST /codes': 'session',
  'POST /verification': 'session',
  'POST /notices/seen': 'session',
  'PUT /notice-ways/choice': silencesWarning,
  'PUT /notice-ways/language': 'session',
  'POST /notice-ways/email': 'fresh proof',
  'POST /notice-ways/email/check': 'fresh proof',
  'DELETE /notice-ways/email': 'fresh proof',
  'PUT /notice-ways/webhook': 'fresh proof',
  'DELETE /notice-ways/webhook': 'fresh proof',
  'PATCH /account': 'session',
  'POST /account/close': 'fresh proof',
}

/** Name of a route in the table. @param path as it was declared, with the prefix of the API */
export const changeName = (method: string, path: string): string =>
  `${method} ${path.replace('/app/api', '').replace(/\/$/, '')}`

/** Whether a request must come from a session with a fresh proof; so must what the table does not know. */
export function needsProof(method: string, path: string, body: unknown): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  const need = sessionNeeds[changeName(method, path)] ?? 'fresh proof'
  return typeof need === 'function' ? need(body) : need === 'fresh proof'
}
