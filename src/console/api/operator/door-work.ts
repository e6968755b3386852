import { addressBucket } from '../../../net/address'
import { isOperatorRefusal, type OperatorRefusalCode } from '../../../operators/operator-refusal'
import type { OperatorVisitor } from '../../../operators/arrival'
import { passkeySiteAt, type PasskeySite } from '../../../people/passkey'
import { isPeopleRefusal, PeopleRefusal } from '../../../people/people-refusal'
import type { OperatorConsoleParts } from './parts'

/** Refusals of what could be guessed. */
const guesses: ReadonlySet<OperatorRefusalCode> = new Set([
  'link_invalid',
  'setup_code_wrong',
  'sign_in_wrong',
  'sign_in_locked',
  'password_wrong',
])

/** What routes by which operators come in have in common. */
interface DoorWork {
  visitorOf(request: Request): OperatorVisitor
  /** Whoever guesses links, passwords or passkeys counts as one who guesses keys. */
  counted<T>(request: Request, work: () => Promise<T>): Promise<T>
  /** @throws PeopleRefusal passkeys_unavailable */
  siteOf(request: Request): PasskeySite
}

export const openDoorWork = ({ desk, addressOf }: OperatorConsoleParts): DoorWork => ({
  visitorOf(request) {
    const address = addressOf(request)
    const agent = request.headers.get('user-agent') ?? ''
    return { address, bucket: addressBucket(address), agent }
  },
  async counted(request, work) {
    try {
      return await work()
    } catch (thrown) {
      const isGuess = isOperatorRefusal(thrown) ? guesses.has(thrown.code) : isPeopleRefusal(thrown)
      if (isGuess) await desk.limits.takeAttempt(addressBucket(addressOf(request)))
      throw thrown
    }
  },
  siteOf({ url }) {
    const site = passkeySiteAt(desk.knownUrl, desk.listensAt(), url)
    if (site === null) throw new PeopleRefusal('passkeys_unavailable', {})
    return site
  },
})
