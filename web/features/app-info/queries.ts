import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { AppInfoAnswer, type EditAppInfo } from '../../../shared/app-info.ts'
import { api } from '../../lib/api-client.ts'

export const appInfo = queryOptions({
  queryKey: ['app-info'],
  queryFn: ({ signal }) => api(AppInfoAnswer, 'GET', '/host/app-info', undefined, { signal }),
  // Fills a form, whose edits must survive when the window gets the focus.
  refetchOnWindowFocus: false,
})

export function useEditAppInfo() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (edit: EditAppInfo) => api(AppInfoAnswer, 'PUT', '/host/app-info', edit),
    onSuccess: (answer) => client.setQueryData(appInfo.queryKey, answer),
  })
}

export function useUploadLogo() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (logo: File) => {
      const form = new FormData()
      form.append('logo', logo)
      return api(AppInfoAnswer, 'POST', '/host/upload-logo', form)
    },
    onSuccess: (answer) => client.setQueryData(appInfo.queryKey, answer),
  })
}
