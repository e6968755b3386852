import { Anchor, Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { useMay } from '../me'
import { operate, type Result } from '../operate'
import { ImportChoice } from './import-choice'
import { PricesPage } from './prices-page'
import { readPricesAgain } from './model-detail'

/** As many patterns as one import takes. */
const maxAtOnce = 1000

type Imported = Result<'POST /model-imports'>

/** Dialog that puts models on sale that a vendor lists. */
export function ModelImports() {
  const t = useTranslations('modelImports')
  const may = useMay()
  const [vendor, setVendor] = useState(() => new URLSearchParams(location.search).get('vendor'))
  const vendors = useQuery({
    queryKey: ['op', 'vendors'],
    queryFn: () => operate('GET /vendors', {}),
  })
  // The sandbox has all of its models on sale.
  const names = (vendors.data?.data ?? []).flatMap(({ name }) => (name === 'sandbox' ? [] : name))
  const chosen = vendor ?? names[0] ?? ''
  const listing = useMutation({
    mutationFn: () => operate('POST /model-imports/preview', { body: { vendor: chosen } }),
  })
  const importing = useMutation({
    mutationFn: (models: readonly string[]) => importAll(chosen, models),
    async onSuccess() {
      await readPricesAgain()
      listing.reset()
    },
  })
  return (
    <PricesPage>
      <Anchor component={Link} href="/operator/models" size="sm">
        {t('back')}
      </Anchor>
      <PageHead title={t('title')} lead={t('lead')} />
      <section className="card panel">
        <Stack gap="sm">
          <Group align="flex-end">
            <NativeSelect
              label={t('vendor')}
              value={chosen}
              style={{ flex: 1, maxWidth: 320 }}
              data={names}
              onChange={(event) => {
                setVendor(event.currentTarget.value)
                listing.reset()
              }}
            />
            <Button
              loading={listing.isPending}
              disabled={chosen === '' || !may('owner')}
              onClick={() => {
                importing.reset()
                listing.mutate()
              }}
            >
              {t('list')}
            </Button>
          </Group>
          <Failed error={vendors.error ?? listing.error} />
        </Stack>
      </section>
      {importing.data !== undefined && <Outcome imported={importing.data} />}
      {listing.data !== undefined && (
        <ImportChoice
          key={listing.submittedAt}
          vendor={chosen}
          models={listing.data.data}
          error={importing.error}
          isPending={importing.isPending}
          onImport={importing.mutate}
        />
      )}
    </PricesPage>
  )
}

async function importAll(vendor: string, models: readonly string[]): Promise<Imported> {
  const all: Imported = { vendor, imported: [], known: [], uncosted: [] }
  for (let at = 0; at < models.length; at += maxAtOnce) {
    const patterns = models.slice(at, at + maxAtOnce)
    const some = await operate('POST /model-imports', { body: { vendor, patterns } })
    all.imported.push(...some.imported)
    all.known.push(...some.known)
    all.uncosted.push(...some.uncosted)
  }
  return all
}

function Outcome({ imported: { imported } }: { readonly imported: Imported }) {
  const t = useTranslations('modelImports')
  const { count } = useNumbers()
  return (
    <section className="card panel" role="status">
      <Text size="sm" fw={600}>
        {t('imported', { count: imported.length, shown: count(imported.length) })}
      </Text>
      <Anchor component={Link} href="/operator/models" size="sm">
        {t('toModels')}
      </Anchor>
    </section>
  )
}
