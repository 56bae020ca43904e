package org.apache.cassandra.concurrent;

import java.util.concurrent.ConcurrentLinkedQueue;

public class SEPExecutor {
  public final String name;
  protected final ConcurrentLinkedQueue<Runnable> tasks;

  public SEPExecutor(String name) {
    this.name = name;
    this.tasks = new ConcurrentLinkedQueue<>();
  }

  public Object queue() {
    return tasks;
  }
}
