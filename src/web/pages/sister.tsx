import { Anchor, Button, Loader, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link, useLocation } from 'wouter'
import { api, ApiError, ask } from '../client'
import { setMe } from '../me'
import { Failed } from '../parts/failed'
import { Mark } from '../parts/mark'
import { useTitle } from '../title'

/** Content of the address: a ticket, a refusal, or the wish for one. */
type Arriving =
  | { readonly step: 'enter'; readonly ticket: string }
  | { readonly step: 'refused' }
  | { readonly step: 'ask'; readonly to: string }

const wentAt = 'chapar.sister'
const loopMs = 60_000

function readArriving(): Arriving {
  const said = new URLSearchParams(location.hash.slice(1))
  const to = new URLSearchParams(location.search).get('to') ?? '/'
  const ticket = said.get('ticket')
  const wentMs = Date.now() - Number(sessionStorage.getItem(wentAt) ?? 0)
  if (ticket !== null) return { step: 'enter', ticket }
  // Whoever comes back with nothing would be sent there again, without end.
  if (said.has('error') || wentMs < loopMs) return { step: 'refused' }
  return { step: 'ask', to }
}

/** Page that goes to the sister service for a ticket, or comes back with one. */
export function Sister() {
  const t = useTranslations('sister')
  const [, go] = useLocation()
  const [arriving, setArriving] = useState(readArriving)
  useTitle(t('title'))
  useEffect(() => {
    // A ticket stays neither in the address nor in the history.
    history.replaceState(null, '', location.pathname)
    sessionStorage.removeItem(wentAt)
  }, [])
  const passing = useQuery({
    queryKey: ['sister', arriving],
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    async queryFn() {
      if (arriving.step === 'refused') throw new ApiError(0, 'sister_refused', {})
      if (arriving.step === 'ask') {
        const { url } = await ask(api['sign-in'].sister.post({ to: arriving.to }))
        sessionStorage.setItem(wentAt, String(Date.now()))
        location.assign(url)
        return null
      }
      const { me, to } = await ask(api['sign-in'].sister.ticket.post({ ticket: arriving.ticket }))
      setMe(me)
      go(to, { replace: true })
      return null
    },
  })
  return (
    <main className="entrance">
      <div className="card entrance-card">
        <Stack gap="lg" align="center" ta="center">
          <Mark size={40} />
          <Title order={1} fz="lg">
            {t('title')}
          </Title>
          {passing.error === null ? (
            <>
              <Loader size="sm" />
              <Text size="sm" className="soft" role="status">
                {t(arriving.step === 'enter' ? 'entering' : 'asking')}
              </Text>
            </>
          ) : (
            <Refused error={passing.error} onRetry={() => setArriving({ step: 'ask', to: '/' })} />
          )}
        </Stack>
      </div>
    </main>
  )
}

interface RefusedProps {
  readonly error: unknown
  readonly onRetry: () => void
}

function Refused({ error, onRetry }: RefusedProps) {
  const t = useTranslations('sister')
  const errors = useTranslations('errors')
  return (
    <>
      <Failed error={error} />
      <Button variant="default" onClick={onRetry}>
        {errors('retry')}
      </Button>
      <Anchor component={Link} href="/" size="sm">
        {t('byPhone')}
      </Anchor>
    </>
  )
}
