{{- define "sluice.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "sluice.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "sluice.labels" -}}
{{ include "sluice.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* The configuration as YAML: what the chart knows, under what the values say. The brackets are for IPv6, and do no harm to IPv4. */}}
{{- define "sluice.config" -}}
{{- $points := required "contactPoints is required: one Cassandra node or several" .Values.contactPoints -}}
{{- $dc := required "localDatacenter is required: as nodetool status names it" .Values.localDatacenter -}}
{{- $cql := dict "host" "0.0.0.0" "port" 9042 "advertise" "[${POD_IP}]:9042" -}}
{{- if eq .Values.peers "dns" -}}
{{- $_ := set $cql "peers" (list (printf "dns:%s-peers.%s.svc:9042" (include "sluice.name" .) .Release.Namespace)) -}}
{{- else if eq .Values.peers "keyspace" -}}
{{- $_ := set $cql "peers" "keyspace" -}}
{{- else if ne .Values.peers "none" -}}
{{- fail "peers must be dns, keyspace or none" -}}
{{- end -}}
{{- $own := dict
  "cql" $cql
  "cluster" (dict "contactPoints" $points "localDatacenter" $dc)
  "admin" (dict "host" "0.0.0.0" "port" 9043)
  "drainTimeout" (printf "%ds" (int .Values.drainSeconds)) -}}
{{- mergeOverwrite $own (deepCopy .Values.config) | toYaml -}}
{{- end -}}

{{/* An unquoted off is a boolean for Helm. */}}
{{- define "sluice.adminScheme" -}}
{{- if eq (dig "admin" "tls" "mode" "off" .Values.config | toString) "required" -}}HTTPS{{- else -}}HTTP{{- end -}}
{{- end -}}
