{{- define "roundhouse.selector" -}}
app.kubernetes.io/name: roundhouse
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "roundhouse.labels" -}}
{{ include "roundhouse.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- /* What every pod has, whatever it runs. The user is `node` of the image. */}}
{{- define "roundhouse.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "roundhouse.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "roundhouse.database" -}}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef: { name: {{ .Values.database.secret }}, key: {{ .Values.database.key }} }
{{- end }}
