package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
)

const loadClients = 4

// The pauses leave cores to proxies that start.
const pauseOfClient, pauseOfScanner = 5 * time.Millisecond, 100 * time.Millisecond

// loadRun is a load of idempotent requests and scans until it ends.
type loadRun struct {
	session  *gocql.Session
	rows     int
	ending   atomic.Bool
	requests atomic.Int64
	scans    atomic.Int64
	canceled atomic.Int64
	mutex    sync.Mutex
	errors   []string
}

func (l *loadRun) repeat(pause time.Duration, action func(n int) error) {
	for n := 1; !l.ending.Load(); n++ {
		err := action(n)
		// A connection that is lost while gocql 2.1.2 prepares there ends the request with the
		// context of that connection. gocql takes it for the caller's, and repeats nothing.
		if errors.Is(err, context.Canceled) {
			l.canceled.Add(1)
			err = action(n)
		}
		if err != nil {
			said := time.Now().Format(time.TimeOnly) + " " + describe(err)
			fmt.Fprintln(os.Stderr, said)
			l.mutex.Lock()
			l.errors = append(l.errors, said)
			l.mutex.Unlock()
		}
		time.Sleep(pause)
	}
}

func (l *loadRun) client(number int) {
	t := keyspace + ".t"
	l.repeat(pauseOfClient, func(n int) error {
		key := (n*31 + number) % l.rows
		row := "row " + strconv.Itoa(key)
		l.requests.Add(1)
		if n%4 == 0 {
			return l.session.Query("INSERT INTO "+t+" (k, v) VALUES (?, ?)", key, row).Idempotent(true).Exec()
		}
		read := ""
		err := l.session.Query("SELECT v FROM "+t+" WHERE k = ?", key).Idempotent(true).Scan(&read)
		if err == nil && read != row {
			return fmt.Errorf("another row than that of %d: %s", key, read)
		}
		return err
	})
}

func (l *loadRun) scanner(size int) {
	l.repeat(pauseOfScanner, func(int) error {
		iter := l.session.Query("SELECT k FROM " + keyspace + ".t").Idempotent(true).PageSize(size).Iter()
		seen := make([]int, l.rows)
		rows, key := 0, 0
		for iter.Scan(&key) {
			seen[key]++
			rows++
		}
		if err := iter.Close(); err != nil {
			return err
		}
		for key, times := range seen {
			if times != 1 {
				return fmt.Errorf("%d rows, of them %d times %d", rows, times, key)
			}
		}
		l.scans.Add(1)
		return nil
	})
}

// load reads, writes and scans through all proxies until the input ends. Without a policy gocql
// repeats nothing; this is its simple one with its usual number.
func load(args []string) {
	config := gocql.NewCluster(args[1:]...)
	config.Consistency = gocql.LocalQuorum
	config.Timeout = 20 * time.Second
	config.ConnectTimeout = 20 * time.Second
	config.RetryPolicy = &gocql.SimpleRetryPolicy{NumRetries: 3}
	config.ReconnectInterval = time.Second
	config.Logger = nothing{}
	session, err := config.CreateSession()
	if err != nil {
		fmt.Println("error:", err)
		return
	}
	defer session.Close()
	rows, _ := strconv.Atoi(args[0])
	run := &loadRun{session: session, rows: rows}
	var all sync.WaitGroup
	start := func(action func()) {
		all.Add(1)
		go func() {
			defer all.Done()
			action()
		}()
	}
	for number := 0; number < loadClients; number++ {
		number := number
		start(func() { run.client(number) })
	}
	for _, size := range []int{97, 1000} {
		size := size
		start(func() { run.scanner(size) })
	}
	fmt.Println("ready")
	io.Copy(io.Discard, os.Stdin)
	run.ending.Store(true)
	all.Wait()
	fmt.Printf("requests: %d\nscans: %d\n", run.requests.Load(), run.scans.Load())
	fmt.Printf("repeated after a canceled prepare: %d\n", run.canceled.Load())
	for _, each := range run.errors {
		fmt.Println("error:", each)
	}
}
