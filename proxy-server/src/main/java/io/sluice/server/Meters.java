package io.sluice.server;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmInfoMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.netty4.NettyAllocatorMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.wire.Buffers;
import java.util.List;

/** The registry behind {@code /metrics}, with meters of the JVM and the process. */
final class Meters implements AutoCloseable {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collections = new JvmGcMetrics();

  Meters() {
    collections.bindTo(registry);
    List<MeterBinder> binders =
        List.of(
            new ClassLoaderMetrics(),
            new JvmInfoMetrics(),
            new JvmMemoryMetrics(),
            new JvmThreadMetrics(),
            new FileDescriptorMetrics(),
            new ProcessorMetrics(),
            new UptimeMetrics());
    binders.forEach(binder -> binder.bindTo(registry));
    new NettyAllocatorMetrics(Buffers.POOL).bindTo(registry);
  }

  PrometheusMeterRegistry registry() {
    return registry;
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}
