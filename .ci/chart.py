"""Renders docker/helm/sluice with several values and checks what comes out.

Usage: chart.py HELM. Every object must be one that the oldest and the newest Kubernetes here knows,
with no field that it does not know; the configuration must be one that Sluice accepts, if its archive
is built. Last, the chart is broken in several ways, each of which must be noticed.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

import jsonschema
import kubernetes_validate
import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHART = ROOT / "docker/helm/sluice"
VERSIONS = ["1.27", "1.37"]

REQUIRED = {"contactPoints": ["10.0.0.1", "10.0.0.2:9142"], "localDatacenter": "dc1"}
CASES = {
    "as it comes": {},
    "everything on": {
        "autoscaling": {"enabled": True},
        "serviceMonitor": {
            "enabled": True,
            "labels": {"release": "prometheus"},
            "token": {"name": "sluice-admin", "key": "token"},
            "tlsConfig": {"ca": {"secret": {"name": "sluice-tls", "key": "ca.crt"}}},
        },
        "restartOnChange": True,
        "peers": "keyspace",
        "javaOptions": "-XX:+UseZGC",
        "podAnnotations": {"a": "b"},
        "podLabels": {"team": "data"},
        "imagePullSecrets": [{"name": "registry"}],
        "nodeSelector": {"disk": "ssd"},
        "tolerations": [{"key": "proxy", "operator": "Exists"}],
        "service": {"type": "LoadBalancer", "annotations": {"a": "b"}},
        "networkPolicy": {
            "cassandra": [{"ipBlock": {"cidr": "10.0.0.0/8"}}],
            "egress": [{"ports": [{"port": 4318, "protocol": "TCP"}]}],
        },
        "secrets": [{"name": "cassandra", "secretName": "cassandra-login"}],
        "config": {
            "scheduling": {"rangeShare": 0.2},
            "cql": {"homes": True},
            "cluster": {
                "credentials": {
                    "username": "${file:/run/sluice/cassandra/username}",
                    "password": "${file:/run/sluice/cassandra/password}",
                }
            },
        },
    },
    "encrypted, alone": {
        "peers": "none",
        "networkPolicy": {"enabled": False},
        "secrets": [{"name": "tls", "secretName": "sluice-tls"}],
        "config": {
            "admin": {
                "tls": {
                    "mode": "required",
                    "certificate": "/run/sluice/tls/tls.crt",
                    "key": "/run/sluice/tls/tls.key",
                }
            }
        },
    },
}
KINDS = {
    "as it comes": "ConfigMap Deployment NetworkPolicy PodDisruptionBudget Service Service ServiceAccount",
    "everything on": "ConfigMap Deployment HorizontalPodAutoscaler NetworkPolicy PodDisruptionBudget"
    " Service Service ServiceAccount ServiceMonitor",
    "encrypted, alone": "ConfigMap Deployment PodDisruptionBudget Service Service ServiceAccount",
}

POLICY = "NetworkPolicy"
OWN_PODS = {
    "podSelector": {
        "matchLabels": {"app.kubernetes.io/name": "sluice", "app.kubernetes.io/instance": "demo"}
    }
}
MONITORING = {
    "ports": [{"port": 9043, "protocol": "TCP"}],
    "from": [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "monitoring"}}}],
}


def tcp(*ports):
    return [{"port": port, "protocol": "TCP"} for port in ports]


# Sets of values, each with a kind of object, a place in it, and what must be there; None for nothing.
PARTS = {
    "no client": (
        {"networkPolicy": {"clients": []}},
        POLICY,
        "spec.ingress",
        [MONITORING],
    ),
    "no client, homes": (
        {"networkPolicy": {"clients": []}, "peers": "keyspace", "config": {"cql": {"homes": True}}},
        POLICY,
        "spec.ingress",
        [{"ports": tcp(9042), "from": [OWN_PODS]}, MONITORING],
    ),
    "no client, no monitoring": (
        {"networkPolicy": {"clients": [], "monitoring": []}},
        POLICY,
        "spec.ingress",
        None,
    ),
    "the ports of the contact points": (
        {
            "contactPoints": ["10.0.0.1", "10.0.0.2:9142", "::1", "[::1]:9242", "[::2]", "10.0.0.3:9142"],
            "networkPolicy": {"cassandraPorts": [9442, 9142]},
        },
        POLICY,
        "spec.egress.1.ports",
        tcp(9042, 9142, 9242, 9442),
    ),
    "other contact points in the configuration": (
        {
            "config": {"cluster": {"contactPoints": ["10.0.0.1:9142"]}},
            "networkPolicy": {"cassandraPorts": []},
        },
        POLICY,
        "spec.egress.1.ports",
        tcp(9142),
    ),
    "another port of DNS": (
        {"networkPolicy": {"dnsPorts": [5353]}},
        POLICY,
        "spec.egress.0.ports",
        [{"port": 5353, "protocol": "UDP"}, *tcp(5353)],
    ),
    "no DNS": (
        {"networkPolicy": {"dnsPorts": []}},
        POLICY,
        "spec.egress",
        [{"ports": tcp(9042, 9142)}],
    ),
    "off without quotes": (
        {"config": {"admin": {"tls": {"mode": False}}, "split": {"parallel": False}}},
        "Deployment",
        "spec.template.spec.containers.0.livenessProbe.httpGet.scheme",
        "HTTP",
    ),
    "ids of the pods": (
        {},
        "Deployment",
        "spec.template.spec.securityContext",
        {
            "runAsNonRoot": True,
            "runAsUser": 10001,
            "runAsGroup": 10001,
            "fsGroup": 10001,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
    ),
    "ids that the cluster assigns": (
        {"podSecurityContext": {"runAsUser": None, "runAsGroup": None, "fsGroup": None}},
        "Deployment",
        "spec.template.spec.securityContext",
        {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}},
    ),
}

# What the chart uses of the Prometheus operator's kind, which Kubernetes has no schema of.
TEXTS = {"type": "object", "additionalProperties": {"type": "string"}}
SERVICE_MONITOR = {
    "type": "object",
    "additionalProperties": False,
    "required": ["apiVersion", "kind", "metadata", "spec"],
    "properties": {
        "apiVersion": {"const": "monitoring.coreos.com/v1"},
        "kind": {"const": "ServiceMonitor"},
        "metadata": {"type": "object"},
        "spec": {
            "type": "object",
            "additionalProperties": False,
            "required": ["selector", "endpoints"],
            "properties": {
                "jobLabel": {"type": "string"},
                "selector": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {"matchLabels": TEXTS},
                },
                "endpoints": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "properties": {
                            "port": {"type": "string"},
                            "path": {"type": "string"},
                            "scheme": {"enum": ["http", "https"]},
                            "interval": {"type": "string", "pattern": "^[0-9]+(ms|s|m)$"},
                            "authorization": {
                                "type": "object",
                                "additionalProperties": False,
                                "properties": {"credentials": TEXTS},
                            },
                            "tlsConfig": {"type": "object"},
                        },
                    },
                },
            },
        },
    },
}

# Each is a fault that only rendering or a schema shows.
BREAKAGES = [
    ("deployment.yaml", "containerPort: 9042", "containerPrt: 9042"),
    ("deployment.yaml", "readOnlyRootFilesystem: true", "readOnlyRootFilesystem: maybe"),
    ("deployment.yaml", "periodSeconds: 10", "periodSeconds: often"),
    ("deployment.yaml", "{{- end }}\n      {{- with .Values.tolerations }}", "{{- with .Values.tolerations }}"),
    ("poddisruptionbudget.yaml", "apiVersion: policy/v1\n", "apiVersion: policy/v1beta1\n"),
    ("horizontalpodautoscaler.yaml", "averageUtilization:", "utilization:"),
    ("networkpolicy.yaml", "policyTypes: [Ingress, Egress]", "policyTypes: Ingress"),
    ("servicemonitor.yaml", "path: /metrics", "paths: /metrics"),
    ("_helpers.tpl", '"port" 9042', '"port" "cql"'),
    ("services.yaml", "targetPort: admin", "targetPort: [admin]"),
    ("networkpolicy.yaml", "{{- with $clients }}", "{{- if true }}"),
    ("networkpolicy.yaml", "{{- range $config.cluster.contactPoints }}", "{{- range list }}"),
    ("networkpolicy.yaml", "range $ports | uniq", "range $ports"),
    ("networkpolicy.yaml", "{{- with $policy.dnsPorts }}", "{{- with list 53 }}"),
    ("deployment.yaml", "toYaml .Values.podSecurityContext", "toYaml (dict)"),
    ("_helpers.tpl", ".Values.config | toString)", ".Values.config)"),
    ("_helpers.tpl", "[${POD_IP}]:9042", "${POD_IP}:9042"),
]


class Wrong(Exception):
    """What is wrong with the chart."""


def helm(*arguments, chart, values):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(values, file)
        file.flush()
        run = subprocess.run(
            [HELM, *arguments, str(chart), "--namespace", "shop", "--values", file.name],
            capture_output=True,
            text=True,
            check=False,
        )
    if run.returncode != 0:
        raise Wrong(run.stderr + run.stdout)
    return run.stdout


def check_object(found, version):
    where = f"{found.get('kind')} {found.get('metadata', {}).get('name')}, Kubernetes {version}: "
    try:
        if found.get("kind") == "ServiceMonitor":
            jsonschema.validate(found, SERVICE_MONITOR)
        else:
            kubernetes_validate.validate(found, version, strict=True)
    except (jsonschema.ValidationError, kubernetes_validate.ValidationError) as e:
        raise Wrong(where + e.message) from e
    except kubernetes_validate.SchemaNotFoundError as e:
        raise Wrong(where + str(e)) from e


def check_labels(objects):
    """What selects pods must select these."""
    pods = next(o for o in objects if o["kind"] == "Deployment")["spec"]["template"]
    labels = pods["metadata"]["labels"]
    ports = {p["name"] for p in pods["spec"]["containers"][0]["ports"]}
    for found in objects:
        spec = found.get("spec", {})
        selector = spec.get("selector") or spec.get("podSelector") or {}
        wanted = selector.get("matchLabels", selector)
        if found["kind"] != "ServiceMonitor" and not wanted.items() <= labels.items():
            raise Wrong(f"{found['kind']} selects {wanted}, and the pods are {labels}")
        if found["kind"] == "Service" and not {p["targetPort"] for p in spec["ports"]} <= ports:
            raise Wrong(f"the pods have the ports {ports}, not all of {spec['ports']}")


def check_configuration(objects, sluice):
    text = next(o for o in objects if o["kind"] == "ConfigMap")["data"]["sluice.yml"]
    config = yaml.safe_load(text)
    if config["cql"]["port"] != 9042 or config["admin"]["port"] != 9043:
        raise Wrong("sluice.yml has other ports than the pods")
    if config["cql"]["advertise"] != "[${POD_IP}]:9042":
        raise Wrong("sluice.yml announces an address that no client of an IPv6 pod can use")
    if sluice is None or "${file:" in text or "/run/sluice" in text:
        return
    with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
        file.write(text)
        file.flush()
        run = subprocess.run(
            [sluice, "check", file.name],
            env={**os.environ, "POD_IP": "10.0.0.9"},
            capture_output=True,
            text=True,
            check=False,
        )
    if run.returncode != 0:
        raise Wrong("sluice.yml: " + run.stdout + run.stderr)


def rendered(chart, values, sluice):
    text = helm("template", "demo", chart=chart, values={**REQUIRED, **values})
    objects = [o for o in yaml.safe_load_all(text) if o]
    for found in objects:
        for version in VERSIONS:
            check_object(found, version)
    check_labels(objects)
    check_configuration(objects, sluice)
    return objects


def part(found, place):
    """What is at a place such as spec.ports.0; None if there is nothing."""
    for step in place.split("."):
        if isinstance(found, list):
            found = found[int(step)] if int(step) < len(found) else None
        else:
            found = (found or {}).get(step)
    return found


def check(chart, sluice=None):
    for name, (values, kind, place, wanted) in PARTS.items():
        objects = rendered(chart, values, sluice)
        found = part(next(o for o in objects if o["kind"] == kind), place)
        if found != wanted:
            raise Wrong(f"{name}: {place} of the {kind} is {found}, not {wanted}")
    for name, values in CASES.items():
        objects = rendered(chart, values, sluice)
        kinds = " ".join(sorted(o["kind"] for o in objects))
        if kinds != KINDS[name]:
            raise Wrong(f"{name}: {kinds}")


def refused(chart, values):
    try:
        helm("template", "demo", chart=chart, values=values)
    except Wrong:
        return
    raise Wrong(f"rendered although it lacks what it needs: {values}")


def broken(folder, number, breakage):
    file, old, new = breakage
    chart = pathlib.Path(folder) / str(number)
    shutil.copytree(CHART, chart)
    template = chart / "templates" / file
    text = template.read_text()
    if old not in text:
        raise Wrong(f"{file} has no {old!r} to be broken")
    template.write_text(text.replace(old, new))
    try:
        check(chart)
    except Wrong:
        return
    raise Wrong(f"not noticed: {file} with {new!r}")


def archive(folder):
    """The program of the archive, if it is built."""
    for found in sorted(ROOT.glob("distribution/target/sluice-*.tar.gz")):
        with tarfile.open(found) as tar:
            tar.extractall(folder)
        return str(next(pathlib.Path(folder).glob("sluice-*/bin/sluice")))
    return None


def main():
    with tempfile.TemporaryDirectory() as folder:
        sluice = archive(folder)
        helm("lint", "--strict", chart=CHART, values=REQUIRED)
        check(CHART, sluice)
        refused(CHART, {})
        refused(CHART, {"contactPoints": ["a"]})
        refused(CHART, {**REQUIRED, "peers": "some"})
        for number, breakage in enumerate(BREAKAGES):
            broken(folder, number, breakage)
    print(
        f"the chart: {len(CASES) + len(PARTS)} sets of values fit Kubernetes {' and '.join(VERSIONS)},"
        f" {len(BREAKAGES)} breakages were noticed,"
        f" its configuration was {'checked' if sluice else 'not checked: no archive'}"
    )


HELM = sys.argv[1]
try:
    main()
except Wrong as wrong:
    print(f"the chart is wrong: {wrong}", file=sys.stderr)
    sys.exit(1)
