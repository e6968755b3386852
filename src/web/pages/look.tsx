import { Anchor, Loader, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import { Failed } from '../parts/failed'
import { Mark } from '../parts/mark'
import { useTitle } from '../title'

/** Page that an operator's ticket leads to, to see an account read-only as its owner does. */
export function Look() {
  const t = useTranslations('looks')
  const [ticket] = useState(() => location.hash.slice(1))
  useTitle(t('title'))
  useEffect(() => {
    // A ticket stays neither in the address nor in the history.
    history.replaceState(null, '', location.pathname)
  }, [])
  const entering = useQuery({
    queryKey: ['look', ticket],
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    async queryFn() {
      await ask(api.look.post({ ticket }))
      // Whatever was read before was read as somebody else.
      location.replace('/app')
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
          {entering.error === null ? (
            <>
              <Loader size="sm" />
              <Text size="sm" className="soft" role="status">
                {t('entering')}
              </Text>
            </>
          ) : (
            <>
              <Failed error={entering.error} />
              <Anchor href="/app/operator" size="sm">
                {t('toConsole')}
              </Anchor>
            </>
          )}
        </Stack>
      </div>
    </main>
  )
}
