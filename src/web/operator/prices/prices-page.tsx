import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
// A file of its own: other pages of the console are without it.
import sheet from './prices.css' with { type: 'file' }

/** Frame of every page of models and prices. */
export const PricesPage = ({ children }: { readonly children: ReactNode }) => (
  <Stack gap="lg">
    <link rel="stylesheet" href={sheet} precedence="default" />
    {children}
  </Stack>
)
