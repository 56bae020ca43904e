package io.sluice.it.cluster;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Skips tests that the provider cannot run, and passes the cluster to tests that have a parameter
 * for it.
 */
final class CassandraClusterExtension implements ExecutionCondition, ParameterResolver {

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Set<Capability> lacking = EnumSet.noneOf(Capability.class);
    context
        .getElement()
        .flatMap(e -> AnnotationSupport.findAnnotation(e, CassandraCluster.class))
        .ifPresent(asked -> lacking.addAll(needs(asked)));
    lacking.removeAll(Clusters.capabilities());
    return lacking.isEmpty()
        ? ConditionEvaluationResult.enabled("the provider can do it")
        : ConditionEvaluationResult.disabled(Clusters.provider() + " has no " + lacking);
  }

  private static Set<Capability> needs(CassandraCluster asked) {
    Set<Capability> needs = EnumSet.noneOf(Capability.class);
    needs.addAll(List.of(asked.needs()));
    if (asked.auth()) {
      needs.add(Capability.AUTH);
    }
    if (asked.agent()) {
      needs.add(Capability.AGENT);
    }
    return needs;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == ClusterUnderTest.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    CassandraCluster asked = nearest(context).orElseThrow();
    return Clusters.of(new ClusterShape(asked.nodes(), asked.rf(), asked.auth(), asked.agent()));
  }

  private static Optional<CassandraCluster> nearest(ExtensionContext context) {
    return context
        .getElement()
        .flatMap(e -> AnnotationSupport.findAnnotation(e, CassandraCluster.class))
        .or(() -> context.getParent().flatMap(CassandraClusterExtension::nearest));
  }
}
