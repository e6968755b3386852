import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useLocation } from 'wouter'
import { Dialog } from '../../parts/dialog'
import { Failed } from '../../parts/failed'
import { operate } from '../operate'
import { ModelNames } from './model-names'
import { readVendorsAgain, type Vendor, type VendorRoute } from './vendor'

interface LeaveSaleProps {
  readonly vendor: Vendor
  readonly routes: readonly VendorRoute[]
  /** Removed for good; else switched off. */
  readonly isRemoved: boolean
  readonly onClose: () => void
}

/** Warning of models that leave the sale when a vendor is switched off or removed. */
export function LeaveSale({ vendor, routes, isRemoved, onClose }: LeaveSaleProps) {
  const t = useTranslations('vendor')
  const form = useTranslations('forms')
  const [, go] = useLocation()
  const { name } = vendor
  const params = { name }
  const leaving = [...new Set(routes.filter(({ only }) => only).map(({ model }) => model))]
  const leave = useMutation({
    mutationFn: async () => {
      if (isRemoved) await operate('DELETE /vendors/{name}', { params })
      else await operate('PATCH /vendors/{name}', { params, body: { active: false, test: false } })
    },
    async onSuccess() {
      onClose()
      if (isRemoved) go('/operator/vendors', { replace: true })
      await readVendorsAgain()
    },
  })
  const action = t(isRemoved ? 'remove' : 'switchOff')
  return (
    <Dialog opened onClose={onClose} title={`${action}: ${name}`}>
      <Stack>
        <Text size="sm">
          {t(isRemoved ? 'removeLead' : 'switchOffLead', { name, count: leaving.length })}
        </Text>
        <ModelNames names={leaving} />
        <Failed error={leave.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {form('cancel')}
          </Button>
          <Button
            {...(isRemoved || leaving.length > 0 ? { color: 'red' } : {})}
            loading={leave.isPending}
            onClick={() => leave.mutate()}
            data-autofocus
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
