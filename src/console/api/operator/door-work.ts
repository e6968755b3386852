import type { Guess } from '../../../domain/guess'
import { addressBucket } from '../../../gateway/net/address'
import type { OperatorVisitor } from '../../../business/operators/request-identity'
import { passkeySiteAt, type PasskeySite } from '../../../business/users/passkey'
import { PeopleRefusal } from '../../../business/users/refusal'
import { guessing, operatorBlocks } from '../../guessing'
import type { OperatorConsoleParts } from './parts'

/** What routes by which operators come in have in common. */
interface DoorWork {
  visitorOf(request: Request): OperatorVisitor
  /** Compares a link, a password or a passkey, as one guess of the address. */
  guessed<T>(request: Request, work: (guess: Guess) => Promise<T>): Promise<T>
  /** @throws PeopleRefusal passkeys_unavailable */
  siteOf(request: Request): PasskeySite
}

export const openDoorWork = ({ desk, addressOf }: OperatorConsoleParts): DoorWork => ({
  visitorOf(request) {
    const address = addressOf(request)
    const agent = request.headers.get('user-agent') ?? ''
    return { address, bucket: addressBucket(address), agent }
  },
  guessed: (request, work) => guessing(desk.limits, operatorBlocks(addressOf(request)), work),
  siteOf({ url }) {
    const site = passkeySiteAt(desk.knownUrl, desk.listensAt(), url)
    if (site === null) throw new PeopleRefusal('passkeys_unavailable', {})
    return site
  },
})
