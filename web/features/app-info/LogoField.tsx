import { Button, FileInput, Group } from '@mantine/core'
import { IconPhoto, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { LOGO_MAX_BYTES } from '../../../shared/app-info.ts'
import { fieldErrorsOf, isOutcomeUnknown, messageOf } from '../../lib/api-client.ts'
import { site } from '../../lib/site.ts'
import { toast } from '../../ui/toast.tsx'
import { useUploadLogo } from './queries.ts'

type LogoFieldProps = { address: string; onUploaded: (logoUrl: string | null, addressBefore: string) => void }

/** Uploads a logo if the installation has that feature; otherwise says that it is coming soon. */
export function LogoField({ address, onUploaded }: LogoFieldProps) {
  const isOn = site.features.includes('logo-upload')
  const upload = useUploadLogo()
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  function handleUpload() {
    if (!file) return setProblem('Please select a logo file')
    if (file.size > LOGO_MAX_BYTES) return setProblem('The logo may have at most 1 MB')
    upload.mutate(file, {
      onSuccess: ({ appInfo, message }) => {
        setFile(null)
        onUploaded(appInfo.logo_url, address)
        toast.success(message ?? 'Logo uploaded')
      },
      onError: (error) => {
        const outcome = isOutcomeUnknown(error)
          ? 'It is not known whether the logo was uploaded.'
          : 'The logo could not be uploaded.'
        setProblem(fieldErrorsOf(error).logo ?? messageOf(error, `${outcome} Please try again.`))
      },
    })
  }

  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <FileInput
        label="Logo file"
        flex={1}
        miw={0}
        accept="image/png,image/jpeg,image/webp"
        leftSection={<IconPhoto size={17} stroke={1.75} aria-hidden="true" />}
        placeholder={isOn ? 'Choose a picture' : 'Coming Soon'}
        description={isOn ? 'PNG, JPEG or WebP, at most 1 MB' : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        disabled={!isOn}
        clearable
        clearButtonProps={{ 'aria-label': 'Remove file' }}
        value={file}
        error={problem}
        onChange={(chosen) => {
          setFile(chosen)
          setProblem(null)
        }}
      />
      <Button
        variant="default"
        mt={26} // aligned with the input, below its label
        flex="none"
        leftSection={<IconUpload size={17} aria-hidden="true" />}
        disabled={!isOn}
        loading={upload.isPending}
        onClick={handleUpload}
      >
        Upload
      </Button>
    </Group>
  )
}
