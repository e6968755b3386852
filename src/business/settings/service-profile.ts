import { Type, type Static } from '@sinclair/typebox'

const orNull = <Kind extends ReturnType<typeof Type.String>>(kind: Kind) =>
  Type.Union([kind, Type.Null()])

/** A vendor found where the gateway runs; its key stays there. */
const FoundVendor = Type.Object({
  name: Type.String(),
  kind: Type.String(),
  dialect: Type.String(),
  baseUrl: Type.String(),
  timeoutMs: Type.Number(),
  hasKey: Type.Boolean(),
})

/**
 * How the gateway of some data was started, as it wrote down itself: commands in another shell speak
 * of the same service by it. It never holds a secret.
 */
export const ServiceProfile = Type.Object({
  /** Own service first, then the sister service. */
  services: Type.Tuple([Type.String(), Type.String()]),
  baseUrls: Type.Tuple([orNull(Type.String()), orNull(Type.String())]),
  /** Settings that its environment fixes. */
  fixed: Type.Record(Type.String(), Type.String()),
  vendors: Type.Array(FoundVendor),
  /** Models of servers on its machine. */
  local: Type.Array(Type.Object({ vendor: Type.String(), id: Type.String() })),
  /** Where notices go besides the log: the webhook's host, the command's program. */
  notices: Type.Object({ webhook: orNull(Type.String()), command: orNull(Type.String()) }),
})
export type ServiceProfile = Static<typeof ServiceProfile>

/** The profile of the gateway that served these data last. */
export interface ServiceProfileStore {
  /** Null before the first, and where a newer program wrote one that this one cannot read. */
  read(): Promise<ServiceProfile | null>
  write(profile: ServiceProfile): Promise<void>
}
