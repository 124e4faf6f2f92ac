package monitor

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// ParseAddr reads "HOST:PORT", ":PORT" or "PORT". Without a host it is loopback,
// 127.0.0.1: to be seen from other machines is something to ask for. Port 0 is any
// that is free.
func ParseAddr(addr string) (host, port string, err error) {
	if !strings.Contains(addr, ":") {
		addr = ":" + addr
	}
	host, port, err = net.SplitHostPort(addr)
	if err != nil {
		return "", "", fmt.Errorf("%.80q is not HOST:PORT", addr)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", "", fmt.Errorf("%.80q is no port", port)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return host, port, nil
}

// hosts are the names by which clients may call this machine. An address of
// numbers is always one: only by a name of its own can another site lead a browser
// here (DNS rebinding).
type hosts struct {
	given string // the host of --monitor
	own   string // the machine's name, when it listens for others
}

func newHosts(given string) hosts {
	h := hosts{given: strings.ToLower(given)}
	if ip, err := netip.ParseAddr(given); err == nil && !ip.IsLoopback() {
		name, _ := os.Hostname()
		h.own = strings.ToLower(name)
	}
	return h
}

// allow reports whether a Host header names this machine. The port may be any:
// tunnels have others.
func (h hosts) allow(header string) bool {
	host := header
	if name, _, err := net.SplitHostPort(header); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return host != "" && (host == "localhost" || host == h.given || host == h.own)
}

// shown is the address to tell people.
func (h hosts) shown(a net.Addr) string {
	addr, ok := a.(*net.TCPAddr)
	if !ok {
		return a.String()
	}
	host := h.given
	if addr.IP.IsUnspecified() && h.own != "" {
		host = h.own
	}
	return net.JoinHostPort(host, strconv.Itoa(addr.Port))
}
